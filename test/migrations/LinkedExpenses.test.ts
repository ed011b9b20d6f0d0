import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const times = { created_at: "2026-01-01", updated_at: "2026-01-01" }
const amounts = { items: "[]", tax_breakdown: "[]", subtotal: 1, discount_total: 0, tax_total: 0, total: 1 }
const draft = { ...times, ...amounts, organization_id: 1, customer_id: 1, currency: "EUR", issue_date: "2026-01-01" }
const invoice = { ...draft, due_date: "2026-01-31" }
const about = { category: "x", description: "x", search: "", tax_rates: "[]", is_vat_deductible: false }
const money = { amount: 1, currency: "EUR", expense_date: "2026-01-01", is_billable: false, status: "pending" }
const expense = { ...times, ...about, ...money, organization_id: 1 }

layer(NodeServices.layer, { excludeTestServices: true })("0070_linked_expenses.sql", (it) => {
  it.effect("removes only the links to deleted invoices, with the next version", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0070")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'nl', '')`
      yield* sql`insert into customers (organization_id, name, search) values (1, 'Beta', '')`
      yield* sql`insert into invoices ${sql.insert([
        { ...invoice, id: 1, deleted_at: null },
        { ...invoice, id: 2, deleted_at: "2026-01-02" }
      ])}`
      yield* sql`insert into expenses ${sql.insert([
        { ...expense, id: 3, linked_invoice_id: 1 },
        { ...expense, id: 4, linked_invoice_id: 2 },
        { ...expense, id: 5, linked_invoice_id: null }
      ])}`

      yield* migrate("migrations")
      assert.deepStrictEqual(yield* sql`select id, linked_invoice_id, version from expenses order by id`, [
        { id: 3, linked_invoice_id: 1, version: 1 },
        { id: 4, linked_invoice_id: null, version: 2 },
        { id: 5, linked_invoice_id: null, version: 1 }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
