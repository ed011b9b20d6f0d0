import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase } from "../../support/Postgres.ts"

layer(testDatabase)("testDatabase", (it) => {
  it.effect("has the tables", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select count(*) as n, lower('ÉCOLE') as l from migration_files`
      console.log(rows)
      assert.isAbove(rows.length, 0)
    })
  )
})
