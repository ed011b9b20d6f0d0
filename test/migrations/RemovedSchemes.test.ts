import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const cases = [
  ["0212", "2077474-0", "0216", "003720774740"],
  ["0212", "20774740", "0216", "003720774740"],
  ["0213", "fi 20774740", "0216", "003720774740"],
  ["0037", "003720774740ABC01", "0216", "003720774740ABC01"],
  ["9956", "0202239951", "0208", "0202239951"],
  ["0212", "no number", "0212", "no number"],
  ["0215", "003720774740", "0215", "003720774740"],
  ["0208", "0202239951", "0208", "0202239951"]
] as const

layer(NodeServices.layer, { excludeTestServices: true })("0096_removed_schemes.sql", (it) => {
  it.effect("moves identifiers to the schemes that replaced theirs, unverified, and leaves all others alone", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0096")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'FI', 'EUR', 'Europe/Helsinki', 'en', '')`
      for (const [scheme, value] of cases) {
        yield* sql`insert into customers (organization_id, name, search, einvoicing_identifier_scheme,
            einvoicing_identifier_value, einvoicing_identifier_verified)
          values (1, 'Beta', '', ${scheme}, ${value}, true)`
      }

      yield* migrate("migrations")
      const rows = yield* sql`select einvoicing_identifier_scheme as scheme, einvoicing_identifier_value as value,
        einvoicing_identifier_verified as verified, version from customers order by id`
      assert.deepStrictEqual(
        rows,
        cases.map(([before, , scheme, value]) => {
          const isMoved = scheme !== before
          return { scheme, value, verified: !isMoved, version: isMoved ? 2 : 1 }
        })
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
