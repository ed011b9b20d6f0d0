import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Connection, pgLayer } from "../../../src/platform/sql/Database.ts"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { embeddedPostgres } from "../../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"

/** A server of one test, which can be stopped before the scope ends. */
export interface Server {
  readonly connection: Connection
  readonly stop: Effect.Effect<void>
}

const emptyFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "invoicing-replication-"))
    // The folder must be open to the account that PostgreSQL gets when the tests run as root.
    chmodSync(folder, 0o711)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const start = Effect.fnUntraced(function* (dataDir: string) {
  const scope = yield* Scope.make()
  const stop = Effect.suspend(() => Scope.close(scope, Exit.void))
  yield* Effect.addFinalizer(() => stop)
  // Tests distinguish servers by their ports, so connections do not use a socket.
  const { path: _, ...connection } = yield* Scope.provide(embeddedPostgres({ dataDir }), scope)
  return { connection, stop } satisfies Server
})

/** Starts a migrated PostgreSQL and a copy of it that replays its changes. */
export const replication = Effect.gen(function* () {
  const [own, copied] = [yield* emptyFolder, yield* emptyFolder]
  const first = yield* start(own)
  yield* Effect.provide(migrate(migrations), pgLayer(first.connection, 1))
  // A stopped server is consistent, so its copy needs no base backup.
  yield* first.stop
  // `cp` keeps the owner of the files, which PostgreSQL insists on.
  execFileSync("cp", ["-a", join(own, "postgres"), copied])
  const primary = yield* start(own)
  const { password, port, username } = primary.connection
  const data = join(copied, "postgres", "data")
  writeFileSync(join(data, "standby.signal"), "")
  const source = `host=127.0.0.1 port=${port} user=${username} password=${Redacted.value(password)}`
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`)
  const standby = yield* start(copied)
  return { primary, standby }
})

export const inDatabase = <A, E>({ connection }: Server, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, pgLayer(connection, 1))

export const promote = (server: Server) =>
  inDatabase(
    server,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_promote()`)
  )
