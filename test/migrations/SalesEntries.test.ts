import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const at = "2026-01-02T00:00:00Z"
const tax = (tax_rate_id: number, rate: string, taxable_amount: string, tax_amount: string) => ({
  tax_rate_id,
  name: "VAT",
  rate,
  category: "S",
  taxable_amount,
  tax_amount
})
/** Two rates with the same percentage, and a third one. */
const taxes = [tax(1, "21", "100.00", "21.00"), tax(3, "6", "50.00", "3.00"), tax(2, "21", "10.00", "2.10")]
const amounts = { items: "[]", tax_breakdown: JSON.stringify(taxes), subtotal: 160, tax_total: 26.1, total: 186.1 }
const lines = { ...amounts, created_at: at, updated_at: at, organization_id: 1, customer_id: 1, currency: "EUR" }
const invoice = { ...lines, discount_total: 0, issue_date: "2026-01-01", due_date: "2026-01-31" }
const issued = { ...invoice, issued_at: at }
const note = { ...lines, invoice_id: 1, reason: "x", credit_type: "full", shares: "{186.1}" }
const sent = { number: "CN-1", sequence: 1, issue_date: "2026-02-01", credit_note_type_code: "381", sent_at: at }

layer(NodeServices.layer, { excludeTestServices: true })("0020_sales_entries.sql", (it) => {
  it.effect("enters issued documents once for each rate and category, and no drafts", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0020")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'nl', '')`
      yield* sql`insert into customers (organization_id, name, search) values (1, 'Beta', '')`
      yield* sql`insert into invoices ${sql.insert([
        { ...issued, id: 1, number: "INV-1", deleted_at: null },
        { ...issued, id: 2, number: "INV-2", deleted_at: at },
        { ...invoice, id: 3, number: null, issued_at: null, deleted_at: null }
      ])}`
      yield* sql`insert into credit_notes ${sql.insert({ ...note, ...sent, id: 4 })}`
      yield* sql`insert into credit_notes ${sql.insert({ ...note, id: 5 })}`

      yield* migrate("migrations")
      const entered = yield* sql`
        select document, document_id, date::text, line, trim_scale(rate)::text as rate, trim_scale(taxable)::text as taxable,
          trim_scale(tax)::text as tax, trim_scale(net)::text as net
        from sales_entries order by document desc, line`
      const sale = { document: "invoice", document_id: 1, date: "2026-01-01" }
      const credit = { document: "credit_note", document_id: 4, date: "2026-02-01" }
      assert.deepStrictEqual(entered, [
        { ...sale, line: 1, rate: "21", taxable: "110", tax: "23.1", net: "160" },
        { ...sale, line: 2, rate: "6", taxable: "50", tax: "3", net: "0" },
        { ...credit, line: 1, rate: "21", taxable: "-110", tax: "-23.1", net: "-160" },
        { ...credit, line: 2, rate: "6", taxable: "-50", tax: "-3", net: "0" }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
