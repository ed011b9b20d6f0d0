import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { testDatabase } from "./Postgres.ts"

const databaseName = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string }>`select current_database() as name`
  return row?.name
})

layer(testDatabase, { excludeTestServices: true })("testDatabase", (it) => {
  it.effect("has all migrations and no rows of another test", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = readdirSync("migrations").filter((file) => file.endsWith(".sql"))
      assert.deepStrictEqual(yield* sql`select count(*) as applied from migration_files`, [{ applied: files.length }])
      assert.deepStrictEqual(yield* sql`select count(*) as users from users`, [{ users: 0 }])
    })
  )

  it.effect("is another database for each layer", () =>
    Effect.gen(function* () {
      const other = yield* Effect.provide(databaseName, testDatabase, { local: true })
      assert.notStrictEqual(yield* databaseName, other)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select from pg_database where datname = ${other}`, [])
    })
  )
})
