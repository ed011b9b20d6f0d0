import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { workOf } from "../../archive/DocumentArchiver.ts"
import type { App } from "../../support/App.ts"
import { type Books, line, paymentBody, small_logo } from "../../support/Billing.ts"
import { importer, openAccount } from "../../banking/Books.ts"
import { expenseBody } from "../../support/Expenses.ts"
import { registrationBody } from "../../support/counterparts/Network.ts"
import { seedOrganizationToken } from "../../support/database/Seed.ts"
import { upload } from "../walks/Upload.ts"

/** Ids of an organization's records by collection, such as `invoices`; several ids if the records differ in state. */
export type Belongings = Readonly<Record<string, ReadonlyArray<number | string>>>

/** Creates one record of every kind that an organization with an archive can have, with `text` in every text field. */
export const belongings = async (app: App, books: Books, text: string): Promise<Belongings> => {
  const { customer_id, id, made, owner } = books
  const email = `${text}@example.com`
  const file = () => upload(`${text}.pdf`)
  await made("PUT", `/organizations/${id}`, {
    name: text,
    address_line1: text,
    city: text,
    contact_email: email,
    logo: small_logo
  })
  await made("POST", `/organizations/${id}/users/invite`, { email: `invited.${email}`, role: "viewer" })
  const identified = { einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: "0202239951" }
  const person = { name: text, email, notes: text, address_line1: text, country: "BE", ...identified }
  await made("PUT", `/customers/${customer_id}`, person)
  await made("POST", "/einvoicing/register", registrationBody(id, { legal_name: text, city: text, state: text }))
  const named = { name: text, notes: text, position: text }
  const contact = await made("POST", "/contacts", { customer_id, email, ...named })

  const document = { notes: text, terms: text, items: [line(100, { description: text })] }
  const draft = await books.draft(document)
  const { invoice, payment } = await books.paid(document)
  await made("PUT", `/payments/${payment.id}`, { reference: text, notes: text })
  const { refunds } = await made("POST", `/payments/${payment.id}/refund`, { amount: 1, reason: text })
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
  const banking = await bankRecords(app, books, text)
  await app.run(written(id, owner.id, webhook.id, text))
  const archive = await archived(app, books, text)
  const operation = await ordered(app, books, text)
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
    "tax-rates": books.tax_rate_ids,
    webhooks: [webhook.id],
    expenses: [expense.id],
    ocr: [uploaded.body.data.receipt_ref],
    receipt_paths: [uploaded.body.data.receipt_path],
    "einvoicing/invoices": [await app.run(submitted(id, invoice.id, archive.documents[0], text))],
    "einvoicing/received": [await app.run(arrived(id, archive.documents[0], text))],
    operations: [operation],
    ...banking,
    refunds: refunds.map(({ id }: { readonly id: number }) => id),
    ...archive
  }
}

/** Creates an asynchronous operation, which no worker runs, and writes the result of one of its items. */
const ordered = async (app: App, { call, id }: Books, text: string): Promise<number> => {
  const headers = { prefer: "respond-async" }
  const { body } = await call("POST", "/batch/invoices/create", { invoices: [{ external_id: text }] }, { headers })
  const result = JSON.stringify({ external_id: text })
  await app.inDatabase(`insert into operation_items (operation_id, organization_id, position, failed, result)
    values (${body.data.id}, ${id}, 0, true, '${result}')`)
  return body.data.id
}

/** Creates a bank account with a matched and an open line, a vendor whose name a line contains, and a rule. */
const bankRecords = async (app: App, books: Books, text: string): Promise<Belongings> => {
  const { customer_id, made } = books
  const account = await openAccount(app, books.id, { name: text })
  const rows = ["Date;Amount;Name;Description;Counterparty IBAN;Reference"]
  for (const amount of ["-1,00", "-2,00"]) rows.push(["2026-03-01", amount, text, text, other_iban, text].join(";"))
  const { data: session } = await importer(app, books)(account, rows.join("\n"))
  const [open, spent] = await made("GET", "/bank-transactions")
  const match = await made("POST", `/bank-transactions/${spent.id}/create-document`, { category: text })
  const { counterparty } = await made("GET", `/bank-transactions/${open.id}/document-prefill`)
  const rule = await made("POST", "/bank-rules", {
    name: text,
    conditions: [{ type: "remittance_equals", value: `${text} of ${text}` }],
    actions: { category: text, description: text }
  })
  return {
    "bank-accounts": [account],
    "bank-transactions": [open.id, spent.id],
    "bank-rules": [rule.id],
    imports: [session.id],
    matches: [match.id],
    counterparties: [customer_id, counterparty.id]
  }
}
const other_iban = "BE71096123456769"

/** Writes records for which the API has no endpoint, or which only the service's workers write. */
const written = Effect.fn("written")(function* (id: number, user_id: number, webhook_id: number, text: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update users set name = ${text}, email = ${`${text}.owner@example.com`} where id = ${user_id}`
  yield* seedOrganizationToken(id)
  yield* sql`update tokens set name = ${text} where organization_id = ${id}`
  yield* sql`update tax_rates set name = ${text} where organization_id = ${id}`
  yield* sql`insert into bank_statements (organization_id, bank_account_id, import_session_id)
             select organization_id, bank_account_id, id from bank_imports where organization_id = ${id}`
  yield* sql`insert into webhook_deliveries (organization_id, webhook_id, sequence, due_at)
             values (${id}, ${webhook_id}, 1, 'infinity')`
  yield* sql`insert into webhook_attempts
      (organization_id, webhook_id, event_id, event, attempt, status, response_body, duration_ms, error)
    values (${id}, ${webhook_id}, 'evt_of_a_test', 'invoice.paid', 1, 'failed', ${text}, 1, ${text})`
  yield* sql`
    insert into archive_incidents (organization_id, problem, found_by, found_at)
    values (${id}, ${text}, 'proof', now())`
})

/**
 * Creates the submission of an invoice to an e-invoicing network, and a message of the network about it. The archived
 * object becomes the acknowledgement in the message.
 */
const submitted = Effect.fn("submitted")(function* (
  organization_id: number,
  invoice_id: number,
  archive_object_id: string,
  text: string
) {
  const sql = yield* SqlClient.SqlClient
  const recipient = { identifier_scheme: "0208", identifier_value: text, name: text, country_code: "BE" }
  const at = "2026-03-01T10:00:00.000Z"
  const [einvoice] = yield* sql<{ id: number }>`insert into einvoices ${sql.insert({
    organization_id,
    invoice_id,
    number: text,
    provider: "peppol",
    environment: "sandbox",
    profile: text,
    transmission_id: randomUUID(),
    sender_scheme: "0208",
    sender_value: text,
    recipient: JSON.stringify(recipient),
    status: "delivered",
    network_status: text,
    network_reference: text,
    reason: text,
    xml_sha256: text,
    xml: text,
    created_at: at,
    updated_at: at
  })} returning id`
  const einvoice_id = einvoice?.id ?? 0
  const receipt = { receipt_type: text, receipt_sha256: text, archive_object_id }
  const message = { message_id: text, at, status: "delivered", code: text, source: text }
  yield* sql`insert into einvoice_messages ${sql.insert({ organization_id, einvoice_id, ...message, ...receipt })}`
  return einvoice_id
})

/** Creates a received e-invoice, whose content is the given archived object. */
const arrived = Effect.fn("arrived")(function* (organization_id: number, object_id: string, text: string) {
  const sql = yield* SqlClient.SqlClient
  const at = "2026-03-01T10:00:00.000Z"
  const [received] = yield* sql<{ id: number }>`insert into received_documents ${sql.insert({
    organization_id,
    provider: "peppol",
    environment: "sandbox",
    transmission_id: text,
    status: "received",
    tax_rates: "[]",
    supplier: JSON.stringify({
      name: text,
      tax_number: text,
      country: text,
      iban: text,
      identifier_scheme: text,
      identifier_value: text
    }),
    problem: text,
    object_id,
    json_object_id: object_id,
    content_type: "application/xml",
    size_bytes: 1,
    sha256: text,
    received_at: at,
    updated_at: at
  })} returning id`
  return received?.id ?? 0
})

/**
 * Deletes the submissions that were inserted without the service. They would violate the invariants that are checked
 * after each test file.
 */
export const withdrawSubmissions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from received_documents`
  yield* sql`delete from einvoice_messages`
  yield* sql`delete from einvoices`
})

/** Archives documents and a message about one, and exports the archive. A further invoice waits to be archived. */
const archived = async (app: App, books: Books, text: string) => {
  const { archiveAll, build, prove, transmissions } = workOf(app)
  await archiveAll(books)
  await transmissions(({ record }) => record(saying(books.id, text)))
  await prove(books)
  const { id } = await books.made("POST", "/archive/exports")
  await build(books, id)
  const [object] = await books.made("GET", "/archive/documents")
  await books.issued()
  return { documents: [object.id], exports: [id] }
}

const saying = (organization_id: number, text: string) => ({
  organization_id: OrganizationId.make(organization_id),
  id: text,
  at: Timestamp.make("2026-03-01T10:00:00.000Z"),
  direction: "inbound" as const,
  network: "peppol",
  environment: "sandbox" as const,
  type: "invoice_response",
  code: text,
  reference: text,
  document_type: null,
  document_id: null,
  number: text,
  object_id: null
})
