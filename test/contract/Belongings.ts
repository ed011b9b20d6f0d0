import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { App } from "../support/App.ts"
import { type Books, line, paymentBody } from "../support/Billing.ts"
import { expenseBody } from "../support/Expenses.ts"
import { seedOrganizationToken } from "../support/Seed.ts"
import { upload } from "./Upload.ts"

/** Ids of an organization's records, by the collection a path or property names; several where states differ. */
export type Belongings = Readonly<Record<string, ReadonlyArray<number | string>>>

/** One record of every kind that an organization can have, each with `text` wherever a text can be. */
export const belongings = async (app: App, books: Books, text: string): Promise<Belongings> => {
  const { customer_id, id, made, owner } = books
  const email = `${text}@example.com`
  const file = () => upload(`${text}.pdf`)
  await made("PUT", `/organizations/${id}`, { name: text, address_line1: text, city: text, contact_email: email })
  await made("POST", `/organizations/${id}/users/invite`, { email: `invited.${email}`, role: "viewer" })
  await made("PUT", `/customers/${customer_id}`, { name: text, email, notes: text, address_line1: text })
  const named = { name: text, notes: text, position: text }
  const contact = await made("POST", "/contacts", { customer_id, email, ...named })

  const document = { notes: text, terms: text, items: [line(100, { description: text })] }
  const draft = await books.draft(document)
  const { invoice, payment } = await books.paid(document)
  await made("PUT", `/payments/${payment.id}`, { reference: text, notes: text })
  await made("POST", `/payments/${payment.id}/refund`, { amount: 1, reason: text })
  const other = await made("POST", "/payments", paymentBody((await books.issued(document)).id, 1, { notes: text }))
  const credit = await made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: text })
  const quote = await made("POST", "/quotes", { ...books.body(document), valid_until: "2999-03-31" })
  await made("POST", `/invoices/${(await books.issued(document)).id}/send`, { recipients: email, attach_pdf: false })
  const attached = await books.call("POST", `/invoices/${invoice.id}/attachments`, undefined, await file())

  const spending = { vendor: text, description: text, notes: text, reference: text }
  const expense = await made("POST", "/expenses", expenseBody(spending))
  const uploaded = await books.call("POST", "/expenses/upload-receipt", undefined, await file())
  const url = `https://hooks.example.com/${text}`
  const webhook = await made("POST", "/webhooks", { url, description: text, events: ["*"] })
  await books.call("POST", "/customers", { name: text }, { headers: { "idempotency-key": text } })
  await app.run(written(id, owner.id, webhook.id, text))
  const archived = await app.run(archivedRecords(id, text))
  return {
    organizations: [id],
    users: [owner.id],
    customers: [customer_id],
    contacts: [contact.id],
    invoices: [invoice.id, draft.id],
    lines: [draft.items[0].id],
    attachments: [attached.body.data.id],
    "credit-notes": [credit.id],
    quotes: [quote.id],
    payments: [payment.id, other.id],
    tax_rates: books.tax_rate_ids,
    webhooks: [webhook.id],
    expenses: [expense.id],
    ocr: [uploaded.body.data.receipt_ref],
    receipt_paths: [uploaded.body.data.receipt_path],
    ...archived
  }
}

/** What the API has no words for, or only its workers write. */
const written = Effect.fn("written")(function* (id: number, user_id: number, webhook_id: number, text: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update users set name = ${text}, email = ${`${text}.owner@example.com`} where id = ${user_id}`
  yield* seedOrganizationToken(id)
  yield* sql`update tokens set name = ${text} where organization_id = ${id}`
  yield* sql`update tax_rates set name = ${text} where organization_id = ${id}`
  yield* sql`insert into webhook_deliveries (organization_id, webhook_id, sequence, due_at)
             values (${id}, ${webhook_id}, 1, 'infinity')`
  yield* sql`insert into webhook_attempts
      (organization_id, webhook_id, event_id, event, attempt, status, response_body, duration_ms, error)
    values (${id}, ${webhook_id}, 'evt_of_a_test', 'invoice.paid', 1, 'failed', ${text}, 1, ${text})`
})

/** Rows of an archive whose bytes are not there, each with `text` wherever a text can be. */
const archivedRecords = Effect.fn("archivedRecords")(function* (id: number, text: string) {
  const sql = yield* SqlClient.SqlClient
  const object = randomUUID()
  const key = (area: string) => `${area}/${id}/00/${text}`
  const hash = "0".repeat(64)
  yield* sql`insert into vaults (organization_id, objects, bytes) values (${id}, 1, 1)`
  yield* sql`
    insert into archive_objects (organization_id, position, id, object_kind, direction, number, counterparty_name,
      number_search, counterparty_search, sha256, content_type, size_bytes, object_key, bucket, storage_account, region,
      archived_at)
    values (${id}, 1, ${object}::uuid, 'pdf', 'outbound', ${text}, ${text}, ${text}, ${text}, ${hash},
      'application/pdf', 1, ${key("archive")}, ${text}, ${text}, ${text}, now())`
  yield* sql`
    insert into archive_checks (organization_id, position, checked_at, verdict) values (${id}, 1, now(), 'intact')`
  yield* sql`
    insert into archive_deposits (organization_id, document_type, document_id, number, counterparty_name, issue_date,
      amount, currency, print, ordered_at)
    values (${id}, 'invoice', 1, ${text}, ${text}, '2026-03-01', 1, 'EUR', '{}', now())`
  const [made] = yield* sql<{ id: number }>`
    insert into archive_exports (organization_id, status, filters, through_position, object_count, object_key,
      file_size_bytes, sha256, created_at, completed_at, expires_at)
    values (${id}, 'completed', '{}', 1, 1, ${key("exports")}, 1, ${hash}, now(), now(), 'infinity')
    returning id`
  return { documents: [object], exports: [made?.id ?? 0] }
})
