import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, FileSystem, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { embeddedPostgres } from "../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { connect, type TestServer } from "./Postgres.ts"

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
  const server: TestServer = { ...rest, password: Redacted.value(password), template: database }
  yield* Effect.andThen(migrate("migrations"), beginWide).pipe(Effect.provide(connect(server, server.template)))
  return server
}).pipe(Effect.provide(NodeServices.layer))

/** Ids of the tests need more than 32 bits, so that a statement or a type that holds fewer fails. */
const beginWide = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select setval(format('%I', sequencename)::regclass, ${first_id}) from pg_sequences
    where schemaname = current_schema()`
)
const first_id = 3_000_000_000
