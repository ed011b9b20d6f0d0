import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, FileSystem, Redacted, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import type { TestProject } from "vitest/node"
import { startPgbouncer } from "../../../scripts/cluster/Pgbouncer.ts"
import { missingPackages, place } from "../../../scripts/cluster/Programs.ts"
import { embeddedPostgres } from "../../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { useLargeIds } from "../LargeIds.ts"
import { connect, type TestServer } from "../database/Postgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgres: TestServer
  }
}

/** One PostgreSQL for the whole run. Each test file's database is cloned from its migrated template. */
export default async function setup(project: TestProject) {
  const scope = Scope.makeUnsafe()
  const stop = Scope.close(scope, Exit.void)
  const server = await Effect.runPromise(
    start.pipe(
      Scope.provide(scope),
      Effect.onError(() => stop)
    )
  )
  project.provide("postgres", server)
  // Vitest alone would end without the teardown, and leave the server running.
  for (const signal of signals) process.once(signal, () => void Effect.runPromise(stop).finally(() => process.exit(1)))
  return () => Effect.runPromise(stop)
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const start = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "invoicing-test-" })
  // The folder must be open to the account that PostgreSQL gets when the tests run as root.
  yield* fs.chmod(dataDir, 0o711)
  const { database, password, ...rest } = yield* embeddedPostgres({ dataDir, durable: false })
  const server: TestServer = {
    ...rest,
    password: Redacted.value(password),
    template: database,
    prepare: true,
    direct_port: rest.port
  }
  yield* migrate("migrations").pipe(Effect.provide(connect(server, server.template)))
  if (process.env["TEST_IDS"] === "large") yield* useLargeIds.pipe(Effect.provide(connect(server, server.template)))
  return process.env["TEST_POOLER"] === "pgbouncer" ? yield* pooled(server) : server
}).pipe(Effect.provide(NodeServices.layer))

/** Puts PgBouncer in transaction mode in front of the server. */
const pooled = Effect.fnUntraced(function* (server: TestServer) {
  const [missing] = missingPackages(["pgbouncer"])
  if (missing !== undefined) return yield* Effect.die(`TEST_POOLER needs the Debian package ${missing}.`)
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(role_limits, (limit) => sql.unsafe(`alter role ${server.username} set ${limit}`))
  ).pipe(Effect.provide(connect(server, server.template)))
  const folder = yield* Effect.acquireRelease(Effect.sync(place), ({ remove }) => Effect.sync(remove))
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => startPgbouncer(folder, server.port, server)),
    ({ process }) =>
      Effect.promise(async () => {
        const ended = once(process, "exit")
        if (process.kill("SIGKILL")) await ended
      })
  )
  const { direct_port, host, password, template, username } = server
  const pooler: TestServer = { host, port, username, password, template, prepare: false, direct_port }
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`).pipe(
    Effect.provide(connect(pooler, "postgres")),
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: pooler_polls_max })
  )
  process.stderr.write("The databases of the tests are behind PgBouncer in transaction mode.\n")
  return pooler
})

/** Limits that the service sets when it connects, and that PgBouncer ignores. */
const role_limits = ["statement_timeout = '15s'", "idle_in_transaction_session_timeout = '30s'"]
const pooler_polls_max = 100
