import { Console, Data, Effect, Layer, Option, Redacted, Result } from "effect"
import type { SqlError } from "effect/sql"
import { fileURLToPath } from "node:url"
import { AppConfig } from "../config/AppConfig.ts"
import { type Connection, pgLayer } from "./Database.ts"
import { embeddedPostgres, runningPostgres } from "./embedded/EmbeddedPostgres.ts"
import { migrate } from "./Migrations.ts"

/** The folder of all migrations. */
export const migrations = fileURLToPath(new URL("../../../migrations", import.meta.url))
const port_default = 5432

class DatabaseUrlInvalid extends Data.TaggedError("DatabaseUrlInvalid")<{ readonly message: string }> {}

class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {
  static of({ database, host, port }: Connection, { message, reason }: SqlError.SqlError) {
    const because = reason.cause instanceof Error ? reason.cause.message : message
    return new DatabaseUnusable({ message: `The database ${database} on ${host}:${port} cannot be used: ${because}` })
  }
}

const unusable = (server: Connection, error: SqlError.SqlError): Layer.Layer<unknown, DatabaseUnusable> =>
  Layer.unwrap(Effect.fail(DatabaseUnusable.of(server, error)))

/** Parses `postgres://user:password@host:port/database?sslmode=require`; the driver would misname the spans. */
const parse = Effect.fnUntraced(function* (text: Redacted.Redacted): Effect.fn.Return<Connection, DatabaseUrlInvalid> {
  const url = URL.parse(Redacted.value(text))
  const named = Result.try(() =>
    [url?.pathname.slice(1), url?.username, url?.password].map((part) => decodeURIComponent(part ?? ""))
  )
  const [database = "", username = "", password = ""] = Result.getOrElse(named, () => [])
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || database === "") {
    return yield* new DatabaseUrlInvalid({
      message: "DATABASE_URL must have the form postgres://user:password@host:port/database."
    })
  }
  return {
    host: url.hostname,
    port: url.port === "" ? port_default : Number(url.port),
    database,
    username,
    password: Redacted.make(password),
    ssl: ["require", "verify-ca", "verify-full"].includes(url.searchParams.get("sslmode") ?? ""),
    prepare: url.searchParams.get("prepare") !== "false"
  }
})

/**
 * The server that DATABASE_URL names, or the embedded one in DATA_DIR. `attach` also accepts an embedded server that
 * another process has started and that ends with it; `tell` prints messages for the person who waits.
 */
export const databaseConnection = Effect.fnUntraced(function* ({
  attach = false,
  tell
}: {
  readonly attach?: boolean
  readonly tell: (message: string) => Effect.Effect<void>
}) {
  const { dataDir, databaseUrl } = yield* AppConfig
  if (Option.isSome(databaseUrl)) return yield* parse(databaseUrl.value)
  const running = attach ? yield* runningPostgres(dataDir) : Option.none()
  if (Option.isSome(running)) return running.value
  yield* tell(`Starting the embedded PostgreSQL in ${dataDir} ...`)
  const { notices, ...embedded } = yield* embeddedPostgres({ dataDir })
  yield* Effect.forEach(notices, tell)
  return embedded
})

const migrated = Layer.effectDiscard(
  Effect.gen(function* () {
    const applied = yield* migrate(migrations)
    if (applied.length > 0) yield* Console.log(`Applied ${applied.length} migrations.`)
  })
)

/** A pool of connections to a database to which all migrations have been applied. */
export const DatabaseLive = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseConnections } = yield* AppConfig
    const server = yield* databaseConnection({ tell: Console.log })
    return Layer.provideMerge(migrated, pgLayer(server, databaseConnections)).pipe(
      Layer.catchTag("SqlError", (error) => unusable(server, error))
    )
  })
)
