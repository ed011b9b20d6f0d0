import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import { Database, pgLayer } from "../../../src/platform/sql/Database.ts"

/** Values that `globalSetup` passes to the test files. */
export interface TestServer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** The migrated database. Nobody may be connected to it while it is cloned. */
  readonly template: string
  /** False if the port is that of a pooler in transaction mode. */
  readonly prepare: boolean
  readonly direct_port: number
}

const connections_max = 10

/** Each build of this layer clones a database from the migrated template, and drops it with the scope. */
export const testDatabase = Layer.unwrap(Effect.suspend(() => cloneOf(inject("postgres").template)))

export const emptyDatabase = Layer.unwrap(Effect.suspend(() => cloneOf("template0")))

const cloneOf = Effect.fnUntraced(function* (template: string) {
  const server = inject("postgres")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(connect(server, "postgres")))
  yield* Effect.acquireRelease(sql.unsafe(`create database ${name} template ${template} strategy file_copy`), () =>
    Effect.orDie(sql.unsafe(`drop database ${name} with (force)`))
  )
  return Layer.provideMerge(Database.layer, connect(server, name))
})

export const connect = (server: TestServer, database: string) =>
  pgLayer({ ...server, database, password: Redacted.make(server.password) }, connections_max)
