import { Console, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { AppConfig } from "../config/AppConfig.ts"
import { type Connection, pgLayer } from "./Database.ts"
import { parseDatabaseUrl } from "./DatabaseUrl.ts"
import { embeddedPostgres, runningPostgres } from "./embedded/EmbeddedPostgres.ts"
import { migrate, restore_lock_key } from "./Migrations.ts"

export const migrations = fileURLToPath(new URL("../../../migrations", import.meta.url))

class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {
  static of(server: Connection, { message, reason }: SqlError.SqlError) {
    const because = reason.cause instanceof Error ? reason.cause.message : message
    return new DatabaseUnusable({ message: `The database ${nameOf(server)} cannot be used: ${because}` })
  }

  static restored() {
    return new DatabaseUnusable({
      message: "A backup is being restored into this database. Start the service when the restore has ended."
    })
  }
}

const nameOf = (server: Connection) =>
  `${server.database} on ${(server.choice?.servers ?? [server]).map(({ host, port }) => `${host}:${port}`).join(", ")}`

/** Names the database to which `databaseConnection` connects, without its password. */
export const databaseName = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* AppConfig
  if (Option.isNone(databaseUrl)) return `embedded PostgreSQL in ${resolve(dataDir)}`
  return nameOf(yield* parseDatabaseUrl("DATABASE_URL", databaseUrl.value, "read-write"))
})

const unusable = (server: Connection, error: SqlError.SqlError): Layer.Layer<unknown, DatabaseUnusable> =>
  Layer.unwrap(Effect.fail(DatabaseUnusable.of(server, error)))

/**
 * The server of DATABASE_URL, or the embedded one in DATA_DIR. `attach` also accepts an embedded server of another
 * process; `tell` prints messages for the waiting user.
 */
export const databaseConnection = Effect.fnUntraced(function* ({
  attach = false,
  tell
}: {
  readonly attach?: boolean
  readonly tell: (message: string) => Effect.Effect<void>
}) {
  const { dataDir, databaseConnections: pool_connections, databaseUrl } = yield* AppConfig
  if (Option.isSome(databaseUrl)) return yield* parseDatabaseUrl("DATABASE_URL", databaseUrl.value, "read-write")
  const running = attach ? yield* runningPostgres(dataDir) : Option.none()
  if (Option.isSome(running)) return running.value
  yield* tell(`Starting the embedded PostgreSQL in ${dataDir} ...`)
  const { notices, ...embedded } = yield* embeddedPostgres({ dataDir, pool_connections })
  yield* Effect.forEach(notices, tell)
  return embedded
})

const restoreLock = SqlSchema.findOne({
  Request: Schema.Void,
  Result: Schema.Struct({ is_free: Schema.Boolean }),
  execute: () =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`select pg_try_advisory_xact_lock_shared(${restore_lock_key}) as is_free`
    )
})

const migrated = Layer.effectDiscard(
  Effect.gen(function* () {
    const { is_free } = yield* restoreLock(undefined)
    if (!is_free) return yield* DatabaseUnusable.restored()
    const applied = yield* migrate(migrations)
    if (applied.length > 0) yield* Console.log(`Applied ${applied.length} migrations.`)
  })
)

/** A pool of connections to a database to which all migrations have been applied. */
export const DatabaseLive = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseConnections, databaseReadUrl } = yield* AppConfig
    const server = yield* databaseConnection({ tell: Console.log })
    const replica = Option.isNone(databaseReadUrl)
      ? undefined
      : yield* parseDatabaseUrl("DATABASE_READ_URL", databaseReadUrl.value, "prefer-standby")
    return Layer.provideMerge(migrated, pgLayer(server, databaseConnections, replica)).pipe(
      Layer.catchTag("SqlError", (error) => unusable(server, error))
    )
  })
)
