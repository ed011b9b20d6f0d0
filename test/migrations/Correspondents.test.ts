import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const amounts = { items: "[]", tax_breakdown: "[]", subtotal: 1, tax_total: 0, total: 1 }
const times = { created_at: "2026-01-01", updated_at: "2026-01-01" }
const lines = { ...amounts, ...times, organization_id: 1, customer_id: 1, currency: "EUR" }
const dated = { ...lines, discount_total: 0, issue_date: "2026-01-01" }
const invoice = { ...dated, due_date: "2026-01-31" }
const quote = { ...dated, valid_until: "2026-01-31" }
const note = { ...lines, invoice_id: 1, reason: "x", credit_type: "partial", shares: "{1}" }
const numbered = { number: "CN-1", sequence: 1, issue_date: "2026-01-02", credit_note_type_code: "381" }
const at = "2026-01-02T00:00:00Z"

layer(NodeServices.layer, { excludeTestServices: true })("0018_correspondents.sql", (it) => {
  it.effect("stores what issued documents print at that time, and nothing for drafts", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0018")
      const sql = yield* SqlClient.SqlClient
      const settings = { payment_iban: "BE71096123456769" }
      yield* sql`insert into organizations (name, country, currency, timezone, language, search, city, settings)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'nl', '', 'Gent', ${JSON.stringify(settings)}::jsonb)`
      yield* sql`insert into customers (organization_id, name, country, tax_number, search)
        values (1, 'Beta', 'DE', 'DE1', '')`
      yield* sql`insert into invoices ${sql.insert([
        { ...invoice, id: 1, number: "INV-1", issued_at: at },
        { ...invoice, id: 2, number: null, issued_at: null }
      ])}`
      yield* sql`insert into quotes ${sql.insert([
        { ...quote, id: 3, number: "QUO-1", status: "sent" },
        { ...quote, id: 4, number: "QUO-2", status: "draft" },
        { ...quote, id: 5, number: null, status: "rejected" }
      ])}`
      yield* sql`insert into credit_notes ${sql.insert({ ...note, ...numbered, id: 6, sent_at: at })}`
      yield* sql`insert into credit_notes ${sql.insert({ ...note, id: 7 })}`

      yield* migrate("migrations")
      const kept = yield* sql`select document, document_id, customer, organization from document_correspondents
        order by document_id`
      const nowhere = { address_line1: null, address_line2: null, postal_code: null, state: null }
      const customer = { ...nowhere, name: "Beta", city: null, country: "DE", tax_number: "DE1", language: null }
      const unknown = { contact_email: null, contact_phone: null, website: null, registration_number: null }
      const organization = {
        ...nowhere,
        ...unknown,
        name: "Acme",
        city: "Gent",
        country: "BE",
        tax_number: null,
        legal_form: null,
        language: "nl",
        iban: "BE71096123456769",
        bic: null
      }
      assert.deepStrictEqual(kept, [
        { document: "invoice", document_id: 1, customer, organization },
        { document: "quote", document_id: 3, customer, organization },
        { document: "credit_note", document_id: 6, customer, organization }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
