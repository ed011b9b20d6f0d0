import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"
import { verifyTallies } from "../../support/database/Tallies.ts"

const version_before = 65

layer(NodeServices.layer, { excludeTestServices: true })("0066_deductible_rates.sql", (it) => {
  it.effect("moves the remainder of the deductible tax from a rate without tax to the last one with a tax", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      const spent = (
        tax_amount: string,
        rows: ReadonlyArray<readonly [rate: number, taxable: string, tax: string]>
      ) => {
        const tax_rates = rows.map(([rate, taxable_amount, tax_amount]) => ({ rate, taxable_amount, tax_amount }))
        return sql`
          insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency,
            description, is_vat_deductible, vat_deductible_percentage, is_billable, status, search, created_at, updated_at)
          values (1, '2026-03-01', 'meals', 20, ${tax_amount}::numeric, ${JSON.stringify(tax_rates)}::jsonb, 'EUR', '', true,
            50, false, 'pending', '', now(), now())`
      }
      yield* spent("0.07", [
        [21, "0.24", "0.05"],
        [0, "10", "0"]
      ])
      yield* spent("0.05", [
        [0, "10", "0"],
        [21, "0.24", "0.05"]
      ])
      yield* spent("0.01", [
        [0, "10", "0"],
        [0, "5", "0"]
      ])
      const deductible = sql<{ readonly rate: string; readonly deductible: string; readonly expenses: string }>`
        select rate, deductible::text, expenses::text from cost_tax_tallies where expenses <> 0 order by rate`
      assert.deepEqual(yield* deductible, [
        { rate: "0", deductible: "0.02", expenses: "3" },
        { rate: "21", deductible: "0.06", expenses: "2" }
      ])
      yield* migrate(migrations)
      // The third expense has a tax, but no rate with a tax, so the last rate gets it.
      assert.deepEqual(yield* deductible, [
        { rate: "0", deductible: "0.01", expenses: "3" },
        { rate: "21", deductible: "0.07", expenses: "2" }
      ])
      yield* verifyTallies
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
