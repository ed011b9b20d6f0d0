import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { randomBytes } from "node:crypto"
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { postgresBinaries } from "./PostgresBinaries.ts"
import { type PostgresHome, postgresHome } from "./PostgresHome.ts"
import { stopOrphan } from "./PostgresOrphan.ts"
import { type Program, run } from "./PostgresProgram.ts"

interface EmbeddedPostgres {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: Redacted.Redacted
  /** Unix socket, which takes a third less CPU time per statement than the port; absent if its path is too long. */
  readonly path?: string
  /** Messages for the person who started the service. */
  readonly notices: ReadonlyArray<string>
}

const host = "127.0.0.1"
const database = "invoicing"
const username = "postgres"
const socket_prefix = ".s.PGSQL."
const sqlite_busy = 5
const lock_attempts_max = 20
const start_attempts_max = 3
const start_limit = "60 seconds"
/** Pause before a crashed server is restarted, in which the remaining sessions of the old server end. */
const restart_pause = "1 second"
const restart_interval = "10 seconds"
const password_bytes = 24
/** Maximum length of a socket's path: macOS allows 104 bytes with the terminator, Linux 108. */
const socket_path_bytes_max = 103
/** The default size of the service's pool, DATABASE_CONNECTIONS. */
const pool_connections_default = 16
/** Connections beside the pool: those that requests share, those of commands such as `backup`, and reserved ones. */
const other_connections = 84

/**
 * Starts the PostgreSQL that npm installed, with its data below `dataDir`, and stops it when the scope ends. It listens
 * on the loopback interface, on its previous port if that is free, and on a socket in its home, and is restarted after
 * a crash.
 *
 * `durable: false` is for tests: faster, but a power cut may destroy the data.
 */
export const embeddedPostgres = Effect.fn("EmbeddedPostgres.start")(function* (options: Options) {
  const home = yield* postgresHome(options.dataDir)
  yield* lock(home)
  const binaries = yield* postgresBinaries(home)
  const cluster: Cluster = { ...options, home, binaries, data: join(home.directory, "data") }
  yield* initialize(cluster)
  const password = Redacted.make(yield* read(home, "password"))
  const port = Effect.flatMap(read(home, "port"), (last) => freePort(Number(last) || 0))
  const { connection, postgres } = yield* start(cluster, port, password).pipe(
    // The port may have been taken since it was checked, or sessions of a killed server may still be running.
    Effect.retry({
      times: start_attempts_max - 1,
      schedule: Schedule.spaced("500 millis"),
      while: (error) => error.isRetryable === true
    })
  )
  yield* write(home, "port", String(connection.port))
  // The scope interrupts this fiber before it stops the server, so a stop is never taken for a crash.
  yield* Effect.forkScoped(startAgain(cluster, connection, postgres))
  return { ...connection, notices: home.notices }
})

/** Returns the address of a server that another process has started in `dataDir`; none if no server answers. */
export const runningPostgres = Effect.fn("EmbeddedPostgres.running")(
  function* (dataDir: string) {
    const home = yield* postgresHome(dataDir)
    const port = Number(yield* read(home, "port"))
    const password = Redacted.make(yield* read(home, "password"))
    const connection: Omit<EmbeddedPostgres, "notices"> = {
      host,
      port,
      database,
      username,
      password,
      ...socketOf(home, port)
    }
    yield* PgConnection.make(connection)
    return connection
  },
  Effect.scoped,
  Effect.option
)

interface Options {
  readonly dataDir: string
  readonly durable?: boolean
  readonly pool_connections?: number
}

interface Cluster extends Options {
  readonly home: PostgresHome
  readonly binaries: string
  readonly data: string
}

/**
 * Node has no file locks, so an open SQLite transaction serves as a lock. The system releases it, however its process
 * ends.
 */
const lock = (home: PostgresHome) => {
  const path = join(home.directory, "lock")
  return Effect.acquireRelease(
    Effect.try({
      try: () => {
        const file = new DatabaseSync(path)
        file.exec("begin exclusive")
        return file
      },
      catch: (cause) =>
        cause instanceof Error && "errcode" in cause && cause.errcode === sqlite_busy
          ? new EmbeddedPostgresError({
              message: `Another process uses the database in ${home.directory}: stop it, or set another DATA_DIR.`
            })
          : EmbeddedPostgresError.because(`${path} cannot be used`)(cause)
    }),
    (file) => Effect.sync(() => file.close())
  ).pipe(
    Effect.retry({ times: lock_attempts_max - 1, schedule: Schedule.spaced("100 millis") }),
    Effect.andThen(attempt(home, () => give(home, path)))
  )
}

/**
 * Creates the data directory under a temporary name, and renames it when it is complete, because the `initdb` of a
 * killed start may still be writing to its own directory.
 */
const initialize = Effect.fnUntraced(function* ({ binaries, data, durable = true, home }: Cluster) {
  if (yield* attempt(home, async () => (await readdir(home.directory)).includes("data"))) return
  yield* Effect.ignore(clear(home, "initdb-"))
  yield* write(home, "password", randomBytes(password_bytes).toString("base64url"))
  const unfinished = yield* attempt(home, () => mkdtemp(join(home.directory, "initdb-")))
  yield* attempt(home, () => give(home, unfinished))
  const initdb = yield* run(home, join(binaries, "bin/initdb"), [
    `--pgdata=${unfinished}`,
    `--username=${username}`,
    `--pwfile=${join(home.directory, "password")}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // A collation that changes with the system would corrupt the indexes.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"])
  ])
  const outcome = yield* initdb.ended.pipe(
    Effect.timeoutOrElse({ duration: start_limit, orElse: () => Effect.succeed(`not within ${start_limit}`) })
  )
  if (outcome !== "exit code 0") return yield* failure("The database could not be made", initdb, outcome)
  yield* attempt(home, () => rename(unfinished, data))
}, Effect.scoped)

/**
 * Restarts the server on the same port. The number of attempts has no limit, because a full disk may get space at any
 * time.
 */
const startAgain = Effect.fnUntraced(function* (
  cluster: Cluster,
  { password, port }: Omit<EmbeddedPostgres, "notices">,
  first: Program
) {
  const again = start(cluster, Effect.succeed(port), password).pipe(
    Effect.tap(Effect.logWarning("The database runs again.")),
    Effect.flatMap(({ postgres }) => postgres.ended),
    Effect.scoped,
    Effect.tapError(({ message }) => Effect.logError(message)),
    Effect.retry(Schedule.spaced(restart_interval))
  )
  let outcome = yield* first.ended
  while (true) {
    // If a supervisor stops the service, the database may end first. Then the scope interrupts the fiber in this pause.
    yield* Effect.sleep(restart_pause)
    yield* Effect.logError(`The database ended (${outcome}). It is started again.`)
    outcome = yield* again
  }
})

const start = Effect.fnUntraced(function* (
  { binaries, data, durable = true, home, pool_connections = pool_connections_default }: Cluster,
  choosePort: Effect.Effect<number, EmbeddedPostgresError>,
  password: Redacted.Redacted
) {
  yield* stopOrphan(data)
  // A killed server leaves its socket files behind. The next server refuses to start while they name the id of a
  // process that now runs.
  yield* clear(home, socket_prefix)
  const port = yield* choosePort
  const socket = socketOf(home, port)
  const connection: Omit<EmbeddedPostgres, "notices"> = {
    host,
    port,
    database,
    username,
    password,
    ...socket
  }
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: socket.path === undefined ? "" : `"${home.directory.replaceAll('"', '""')}"`,
    max_connections: pool_connections + other_connections,
    timezone: "UTC",
    log_timezone: "UTC",
    // Statement errors are not logged: clients get them anyway, and their details hold customers' data.
    log_min_messages: "log",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_wal_size: "256MB" })
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const postgres = yield* run(home, join(binaries, "bin/postgres"), ["-D", data, ...args])
  yield* createDatabase(connection).pipe(
    Effect.retry({
      while: (error) => error.reason._tag !== "AuthenticationError",
      schedule: Schedule.spaced("25 millis")
    }),
    Effect.mapError((error) => error.message),
    Effect.timeoutOrElse({ duration: start_limit, orElse: () => Effect.fail(`not within ${start_limit}`) }),
    Effect.mapError((outcome) => failure("The database did not start", postgres, outcome)),
    Effect.raceFirst(
      Effect.flatMap(postgres.ended, (outcome) =>
        Effect.fail(failure("The database did not start", postgres, outcome, true))
      )
    )
  )
  return { connection, postgres }
})

const socketOf = ({ directory }: PostgresHome, port: number): { readonly path?: string } => {
  const path = join(directory, `${socket_prefix}${port}`)
  return Buffer.byteLength(path) <= socket_path_bytes_max ? { path } : {}
}

/** Creates the database; fails while the server is not ready. */
const createDatabase = Effect.fnUntraced(function* (connection: Omit<EmbeddedPostgres, "notices">) {
  const session = yield* PgConnection.make({ ...connection, database: "postgres" })
  const { rows } = yield* session.query("select from pg_database where datname = $1", [database])
  if (rows.length === 0) yield* session.query(`create database ${database}`)
}, Effect.scoped)

const freePort = (preferred: number): Effect.Effect<number> =>
  Effect.callback<number>((resume) => {
    const server = createServer()
    server.once("error", () => resume(freePort(0)))
    server.listen(preferred, host, () => {
      const address = server.address()
      const port = address === null || typeof address === "string" ? 0 : address.port
      server.close(() => resume(Effect.succeed(port)))
    })
  })

const failure = (what: string, { lastWords }: Program, outcome: string, isRetryable = false) =>
  new EmbeddedPostgresError({ message: `${what} (${outcome})${reasonIn(lastWords())}`, isRetryable })

/** Returns the error that PostgreSQL reports, such as a full disk, or else all of its last output. */
export const reasonIn = (lastWords: string): string => {
  const errors = [...lastWords.matchAll(/(?:FATAL|PANIC|initdb: error):\s+(.+)(?:\n.*DETAIL:\s+(.+))?/g)]
  // A full disk causes further errors, which would hide it.
  const found = errors.find(([, reason]) => reason?.endsWith("No space left on device")) ?? errors.at(-1)
  if (found === undefined) return `. Its last words:\n${lastWords}`
  const [, reason, detail] = found
  return detail === undefined ? `: ${reason}.` : `: ${reason}. ${detail}`
}

const read = (home: PostgresHome, file: string) =>
  attempt(home, () =>
    readFile(join(home.directory, file), "utf8").catch((cause: NodeJS.ErrnoException) =>
      cause.code === "ENOENT" ? "" : Promise.reject(cause)
    )
  )

const write = (home: PostgresHome, file: string, text: string) =>
  attempt(home, async () => {
    const path = join(home.directory, file)
    await writeFile(path, text, { mode: 0o600, flush: true })
    await give(home, path)
  })

const clear = (home: PostgresHome, prefix: string) =>
  attempt(home, async () => {
    const entries = (await readdir(home.directory)).filter((entry) => entry.startsWith(prefix))
    await Promise.all(entries.map((entry) => rm(join(home.directory, entry), { recursive: true, force: true })))
  })

const give = async ({ account }: PostgresHome, path: string) => {
  if (account !== undefined) await chown(path, account.uid, account.gid)
}

const attempt = <A>({ directory }: PostgresHome, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: EmbeddedPostgresError.because(`The database in ${directory} cannot be used`) })
