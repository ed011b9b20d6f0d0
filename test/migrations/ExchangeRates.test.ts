import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 51

const tables = ["credit_notes", "expenses", "invoices", "sales_entries"]

layer(NodeServices.layer, { excludeTestServices: true })("0052_exchange_rates.sql", (it) => {
  it.effect("keeps stored rates without rewriting a table, and accepts smaller ones under the same triggers", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      yield* sql`insert into customers (organization_id, name, search) values (1, 'Beta', 'beta')`
      const invoiced = (currency: string, rate: string, number: string | null) => sql`
        insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency,
          exchange_rate, items, tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
        values (1, 1, ${number}, case when ${number}::text is not null then now() end, '2026-03-01', '2026-03-31',
          ${currency}, ${rate}::numeric, '[]', '[{"rate": 21, "category": "S", "taxable_amount": 100, "tax_amount": 21}]',
          100, 0, 21, 121, now(), now())`
      yield* invoiced("USD", "0.92", "INV-1")
      yield* sql`
        insert into expenses (organization_id, expense_date, category, amount, tax_rates, currency, exchange_rate,
          description, is_vat_deductible, is_billable, status, search, created_at, updated_at)
        values (1, '2026-03-01', 'meals', 10, '[]', 'USD', 0.92, '', false, false, 'pending', '', now(), now())`
      const files = sql`select relname, relfilenode::text from pg_class where ${sql.in("relname", tables)} order by 1`
      const rates = sql`
        select 'invoice' as kind, exchange_rate::text from invoices where issued_at is not null
        union all select 'entry', exchange_rate::text from sales_entries
        union all select 'expense', exchange_rate::text from expenses order by 1, 2`
      const before = { files: yield* files, rates: yield* rates }
      assert.deepEqual(
        before.rates.map(({ exchange_rate }) => exchange_rate),
        ["0.920000", "0.920000", "0.920000"]
      )
      yield* migrate(migrations)
      assert.deepEqual({ files: yield* files, rates: yield* rates }, before)

      yield* invoiced("VND", "0.000000000001", null)
      yield* sql`update expenses set exchange_rate = 0.00003543`
      // The triggers enter the sale of an issued invoice, and refuse a new rate of an issued invoice.
      yield* sql`update invoices set issued_at = now(), number = 'INV-2' where issued_at is null`
      assert.deepEqual(
        (yield* rates).map(({ exchange_rate }) => exchange_rate),
        ["0.000000000001", "0.920000", "0.00003543", "0.000000000001", "0.920000"]
      )
      const refused = yield* Effect.flip(sql`update invoices set exchange_rate = 0.93 where number = 'INV-1'`)
      assert.include(String(refused.reason.cause), "is sealed")
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
