import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rename, stat, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/** Directory and account of an embedded PostgreSQL. Only that account may enter the directory. */
export interface PostgresHome {
  readonly directory: string
  /** Set when this process is root, because PostgreSQL refuses to run as root. */
  readonly account: Account | undefined
  readonly notices: ReadonlyArray<string>
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * The folder of the database is created here if the account that root uses for PostgreSQL cannot enter `DATA_DIR`,
 * e.g. because `DATA_DIR` is in a private home directory.
 */
const elsewhere = "/var/lib/invoicing"

/** Finds the home, `DATA_DIR/postgres` or the directory that it links to. The first start creates it. */
export const postgresHome = Effect.fn("PostgresHome.find")(function* (dataDir: string) {
  const parent = yield* attempt(`DATA_DIR ${dataDir} cannot be used`, () => makeDirectory(dataDir))
  const link = join(parent, "postgres")
  const isRoot = process.getuid?.() === 0
  if (!(yield* attempt(`${link} cannot be used`, () => isThere(link)))) {
    const account = isRoot ? yield* postgresAccount : undefined
    yield* attempt(`${link} cannot be made`, () => makeHome(link, account))
  }
  return yield* attempt(`${link} cannot be used`, () => openHome(link, isRoot))
})

const attempt = <A>(message: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: EmbeddedPostgresError.because(message) })

const makeDirectory = async (directory: string) => {
  const made = await mkdir(directory, { recursive: true }).catch((cause: NodeJS.ErrnoException) =>
    // Node reports this code when it cannot create a folder and its parents on a read-only disk.
    Promise.reject(cause.code === "ENOENT" ? new Error("the disk is read-only, or a link is broken.") : cause)
  )
  // The mode is set explicitly, whatever the umask, because PostgreSQL's account must reach the directories below.
  if (made !== undefined) await chmod(directory, 0o711)
  return realpath(directory)
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    (cause: NodeJS.ErrnoException) => (cause.code === "ENOENT" ? false : Promise.reject(cause))
  )

/** The directory gets its name after its owner is set, so that a killed start leaves no directory owned by root. */
const makeHome = async (link: string, account: Account | undefined) => {
  if (account === undefined) return mkdir(link, { mode: 0o700 })
  const isReachable = canEnter(account, dirname(link))
  const directory = isReachable
    ? await mkdtemp(`${link}-unfinished-`)
    : await mkdtemp(join(await makeDirectory(elsewhere), "postgres-"))
  await chown(directory, account.uid, account.gid)
  return isReachable ? rename(directory, link) : symlink(directory, link)
}

/** Root runs PostgreSQL as the owner of the home, so that starts by a user and starts by root share their data. */
const openHome = async (link: string, isRoot: boolean): Promise<PostgresHome> => {
  const directory = await realpath(link)
  const { gid, uid } = await stat(directory)
  if (!isRoot && uid !== process.getuid?.()) {
    throw new Error(`it belongs to the user with the id ${uid}: start as that user or as root, or set another DATA_DIR`)
  }
  if (isRoot && uid === 0) {
    throw new Error("it belongs to root, but PostgreSQL does not run as root: give it to another user with chown -R")
  }
  return {
    directory,
    account: isRoot ? { uid, gid } : undefined,
    notices:
      directory === link
        ? []
        : [
            `The database is in ${directory}, because PostgreSQL does not run as root and other users cannot enter ${dirname(link)}.`
          ]
  }
}

/**
 * Finds or creates the account of the operating system that runs PostgreSQL. The system's user database must contain
 * it, because `initdb` looks up the name of its account there.
 */
const postgresAccount = Effect.gen(function* () {
  if (accountOf("postgres") === undefined) yield* Effect.ignore(attempt("useradd", addAccount))
  const account = accountOf("postgres") ?? accountOf("nobody")
  if (account !== undefined) return account
  return yield* new EmbeddedPostgresError({
    message: "PostgreSQL does not run as root and no user could be made for it: start as a user, or set DATABASE_URL."
  })
})

const addAccount = () =>
  promisify(execFile)("useradd", ["--system", "--user-group", "--shell", "/bin/false", "postgres"])

const accountOf = (name: string): Account | undefined => {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(":") ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

export const canEnter = (account: Account, directory: string): boolean => {
  const { gid, mode, uid } = statSync(directory)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (directory === "/" || canEnter(account, dirname(directory)))
}
