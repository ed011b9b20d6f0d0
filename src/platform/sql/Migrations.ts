import { Effect, FileSystem, Path, Schedule, Schema } from "effect"
import { Migrator, SqlClient, SqlError, SqlSchema } from "effect/sql"
import { sha256Hex } from "../crypto/Digest.ts"

/**
 * Number of deadlocks after which a migration fails. Processes of the earlier version go on serving requests, so they
 * may lock the same tables in another order.
 */
const deadlocks_max = 5

/**
 * Maximum time for which a migration waits for a lock. Requests to the same table wait behind the migration, so it must
 * not wait for the end of a backup, which holds locks on all tables.
 */
const lock_timeout = "2s"
const lock_pause = "10 seconds"
/** Number of attempts after which a migration fails that gets no lock: more than six hours, as long as a large backup. */
const lock_attempts_max = 2_000

const failsFor =
  (reason: SqlError.SqlErrorReason["_tag"]) =>
  (error: { readonly cause?: unknown }): boolean =>
    [error, error.cause].some((failure) => SqlError.isSqlError(failure) && failure.reason._tag === reason)

const lacksLock = failsFor("LockTimeoutError")

/**
 * Applies the `NNNN_topic.sql` files that the database lacks, in order and in one transaction: a failing migration
 * leaves nothing behind, and of several processes one applies them while the others wait. A migration that gets no lock
 * is tried again later. Returns the applied migrations.
 *
 * An applied file is never run again. If it was edited later, or a file was inserted before it, `migrate` fails instead
 * of ignoring the change. `until` is the last migration to apply; a restore uses the last one of its backup.
 */
export const migrate = Effect.fn("Migrations.migrate")(
  function* (directory: string, until = Infinity) {
    const sql = yield* SqlClient.SqlClient
    // A migration, and waiting for the process that runs it, may take longer than a request.
    yield* sql`set local statement_timeout = 0`
    yield* sql`select pg_advisory_xact_lock(${lock_key})`
    yield* sql`select set_config('lock_timeout', ${lock_timeout}, true)`
    yield* requireUtf8
    // The migrator ignores a failure of its own first statement. So this statement runs before it: a user who may not
    // create tables sees the reason, instead of a message about an aborted transaction.
    yield* sql`create table if not exists migration_files (id integer primary key, sha256 text not null)`
    const found = yield* find(directory)
    // The migrator locks its table even if it has nothing to apply, so it would wait for a program that reads all tables.
    if (isMigrated(found, until)) return []
    return yield* Migrator.make({})({ loader: load(found, until) }).pipe(
      // Unwraps the failure of a migration, because the migrator's own message says only "failed".
      Effect.mapError((error) => (error.cause instanceof Migrator.MigrationError ? error.cause : error))
    )
  },
  (migration) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(migration)),
  Effect.retry({ times: deadlocks_max, while: failsFor("DeadlockError") }),
  Effect.tapError((error) =>
    lacksLock(error)
      ? Effect.logWarning(
          `The migrations wait for the end of a backup, an export or another transaction: ${error.message}`
        )
      : Effect.void
  ),
  Effect.retry({ times: lock_attempts_max - 1, schedule: Schedule.spaced(lock_pause), while: lacksLock })
)

/** A database in another encoding would later refuse some names and texts of customers. */
const requireUtf8 = Effect.gen(function* () {
  const [found] = yield* Effect.catchTag(encodings(undefined), "SchemaError", (cause) => failed(cause.message, cause))
  if (found === undefined || found.encoding === "UTF8") return
  return yield* refused(
    `The database has the encoding ${found.encoding}, but needs UTF8. Create one with ` +
      "create database … encoding 'UTF8' template template0."
  )
})

/** Key of the advisory lock, which no other lock of the service uses. */
const lock_key = 1_296_648_018

/** Key of the advisory lock that a restore holds to its end. */
export const restore_lock_key = lock_key + 1

/** Name of the first migration in all versions before 1.0.0. */
const first_before_release = "journal"

const no_upgrade =
  "This database was made by an unreleased version before 1.0.0, so it cannot be upgraded: delete the " +
  "data folder if it only contains the demo; otherwise export the data with the version that made it, and start this " +
  "version with an empty database."

interface MigrationFile {
  readonly id: number
  readonly topic: string
  readonly file: string
  readonly text: string
  readonly sha256: string
}

export const newestMigration = (directory: string) =>
  Effect.map(Effect.orDie(read(directory)), (files) => files.at(-1)?.id ?? 0)

interface Found {
  readonly files: ReadonlyArray<MigrationFile>
  /** The hashes of the applied files. */
  readonly applied: ReadonlyMap<number, string>
}

const find = Effect.fnUntraced(
  function* (directory: string) {
    const files = yield* read(directory)
    const applied = new Map((yield* appliedFiles(undefined)).map(({ id, sha256 }) => [id, sha256]))
    const found: Found = { files, applied }
    return found
  },
  Effect.catchTags({
    PlatformError: (cause) => failed(cause.message, cause),
    SchemaError: (cause) => failed(cause.message, cause),
    SqlError: (cause) => failed(reasonOf(cause), cause)
  })
)

const isMigrated = ({ applied, files }: Found, until: number): boolean => {
  const wanted = files.filter(({ id }) => id <= until)
  return wanted.length === applied.size && wanted.every(({ id, sha256 }) => applied.get(id) === sha256)
}

const load = Effect.fnUntraced(
  function* ({ applied, files }: Found, until: number) {
    const sql = yield* SqlClient.SqlClient
    const before_release = yield* sql`
      select from effect_sql_migrations where migration_id = 1 and name = ${first_before_release}`
    if (before_release.length > 0) return yield* refused(no_upgrade)
    const latest = Math.max(0, ...applied.keys())
    const newest = files.at(-1)?.id ?? 0
    if (latest > newest) {
      return yield* refused(
        `The database has migration ${latest}, but this version only has ${newest}: start a newer version.`
      )
    }
    for (const { file, id, sha256 } of files) {
      const known = applied.get(id)
      if (known === undefined && id <= latest) {
        return yield* refused(`${file} comes after a migration that was applied already: give it a higher number.`)
      }
      if (known !== undefined && known !== sha256) {
        return yield* refused(`${file} was changed after it was applied: put the change into a new migration.`)
      }
    }
    return files
      .filter(({ id }) => id <= until)
      .map((file): Migrator.ResolvedMigration => [file.id, file.topic, Effect.succeed(apply(file))])
  },
  Effect.catchTag("SqlError", (cause) => failed(reasonOf(cause), cause))
)

const encodings = SqlSchema.findAll({
  Request: Schema.Undefined,
  Result: Schema.Struct({ encoding: Schema.String }),
  execute: () =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select current_setting('server_encoding') as encoding`)
})

const appliedFiles = SqlSchema.findAll({
  Request: Schema.Undefined,
  Result: Schema.Struct({ id: Schema.Int, sha256: Schema.String }),
  execute: () => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select id, sha256 from migration_files`)
})

const read = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files: Array<MigrationFile> = []
  for (const file of (yield* fs.readDirectory(directory)).toSorted()) {
    if (file === "README.md") continue
    const name = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file)
    if (name === null) {
      return yield* refused(`${file} does not have the name of a migration, such as 0001_topic.sql, in lower case.`)
    }
    const [, id = "", topic = ""] = name
    const text = yield* fs.readFileString(path.join(directory, file))
    files.push({ id: Number(id), topic, file, text, sha256: sha256Hex(text) })
  }
  return files
})

const apply = Effect.fnUntraced(function* ({ file, id, sha256, text }: MigrationFile) {
  const sql = yield* SqlClient.SqlClient
  for (const { line, statement } of yield* split(file, text)) {
    yield* sql
      .unsafe(statement)
      .raw.pipe(Effect.catchTag("SqlError", (cause) => failed(`${file}, line ${line}: ${reasonOf(cause)}`, cause)))
  }
  yield* sql`insert into migration_files ${sql.insert({ id, sha256 })}`
})

/**
 * Tokens that may contain a semicolon (PostgreSQL manual, 4.1), and the semicolon. Words are matched whole,
 * because a dollar sign inside a word does not start a quote.
 */
const token = new RegExp(
  [
    String.raw`(?<end>;)`,
    String.raw`(?<comment>--[^\n]*)`,
    String.raw`(?<open>/\*)`,
    String.raw`[eE]'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'`,
    String.raw`'[^']*'`,
    String.raw`"[^"]*"`,
    String.raw`\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?\$\k<tag>\$`,
    String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`,
    String.raw`(?<space>\s+)`,
    String.raw`(?<unterminated>['"]|\$(?:[A-Za-z_]\w*)?\$)`,
    String.raw`[^]`
  ].join("|"),
  "y"
)

/** The driver runs one statement per call, so a function body must be dollar-quoted, not `begin atomic`. */
const split = Effect.fnUntraced(function* (file: string, text: string) {
  const statements: Array<{ readonly statement: string; readonly line: number }> = []
  const lineAt = (index: number) => text.slice(0, index).split("\n").length
  let start: number | undefined
  const cut = (end: number) => {
    if (start !== undefined) statements.push({ statement: text.slice(start, end), line: lineAt(start) })
    start = undefined
  }
  let index = 0
  while (index < text.length) {
    token.lastIndex = index
    const groups = token.exec(text)?.groups ?? {}
    const next = groups["open"] === undefined ? token.lastIndex : commentEnd(text, index)
    if (groups["unterminated"] !== undefined || next === undefined) {
      return yield* refused(`${file}, line ${lineAt(index)}: a quote or comment begins here but does not end.`)
    }
    const isBlank = (groups["space"] ?? groups["comment"] ?? groups["open"]) !== undefined
    if (groups["end"] !== undefined) cut(index)
    else if (!isBlank) start ??= index
    index = next
  }
  cut(text.length)
  return statements
})

/** Returns the end of a block comment, which may contain other block comments. */
const commentEnd = (text: string, start: number) => {
  let depth = 0
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === "/*" ? 1 : -1
    if (depth === 0) return start + index + mark.length
  }
  return undefined
}

const reasonOf = (error: SqlError.SqlError) =>
  error.reason.cause instanceof Error ? error.reason.cause.message : error.message

const refused = (message: string) => Effect.fail(new Migrator.MigrationError({ kind: "BadState", message }))

const failed = (message: string, cause: unknown) =>
  Effect.fail(new Migrator.MigrationError({ kind: "Failed", message, cause }))
