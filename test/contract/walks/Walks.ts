import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Books, paymentBody, race } from "../../support/Billing.ts"
import { expenseBody } from "../../support/Expenses.ts"
import { upload } from "./Upload.ts"
import type { Ask } from "./Walk.ts"

export const walkAttachments = async (ask: Ask, path: string) => {
  const file = await upload()
  const attachment = await ask(201, `POST ${path}`, undefined, file)
  await ask(200, `GET ${path}?per_page=1`)
  await ask(200, `GET ${path}/${attachment.id}/download`)
  await ask(400, `POST ${path}`, "", { headers: { "content-type": "multipart/form-data" } })
  await ask(422, `POST ${path}`, {})
  await race(99, () => ask(201, `POST ${path}`, undefined, file))
  await ask(422, `POST ${path}`, undefined, file)
  const invoice = path.slice(0, -"/attachments".length)
  await ask(200, `PUT ${invoice}`, { embedded_attachment_ids: [attachment.id] })
  await ask(422, `DELETE ${path}/${attachment.id}`)
  await ask(200, `PUT ${invoice}`, { embedded_attachment_ids: null })
  await ask(200, `DELETE ${path}/${attachment.id}`)
  await ask(404, `GET ${path}/${attachment.id}/download`)
}

export const walkBatches = async ({ body, customer_id }: Books, ask: Ask) => {
  await ask(200, `PUT /customers/${customer_id}`, { email: "ap@beta.eu" })
  const invoices = [{ ...body(), external_id: "A-1" }, body(), { ...body(), due_date: "2026-02-28" }]
  const { results } = await ask(201, "POST /batch/invoices/create", { invoices })
  const [first, second] = results.map((result: { id: number | null }) => result.id)
  await ask(422, "POST /batch/invoices/create", { invoices, atomic: true })
  await ask(422, "POST /batch/invoices/create", { invoices: [] })
  await ask(200, "POST /batch/invoices/update", { updates: [{ id: second, terms: "30 days" }, { id: 0 }] })
  await ask(200, "POST /batch/invoices/send", { invoice_ids: [first, first, 999_999_999] })
  await ask(422, "POST /batch/invoices/send", { invoice_ids: Array.from({ length: 101 }, (_, index) => index + 1) })
  await ask(200, `DELETE /batch/resources?resource=invoices&ids=${first},${second}`)
  const later = { headers: { prefer: "respond-async" } }
  const { id } = await ask(202, "POST /batch/invoices/create", { invoices }, later)
  for (let unended = 1; unended < 20; unended++) {
    await ask(202, "POST /batch/invoices/send", { invoice_ids: [first] }, later)
  }
  await ask(422, "POST /batch/invoices/send", { invoice_ids: [first] }, later)
  await ask(200, "GET /operations?kind=batch_send&status=queued&per_page=1")
  await ask(422, "GET /operations?kind=batch_remove")
  await ask(200, `GET /operations/${id}`)
  await ask(404, "GET /operations/999999999")
}

export const walkExpenses = async ({ draft, id, issued }: Books, ask: Ask) => {
  const tax_rates = [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }]
  const expense = await ask(201, "POST /expenses", expenseBody({ vendor: "Café Zürich", tax_rates }))
  await ask(422, "POST /expenses", expenseBody({ amount: 0 }))
  await ask(200, "GET /expenses?category=meals&billed=no&per_page=1")
  await ask(422, "GET /expenses?status=lost")
  await ask(200, `GET /expenses/${expense.id}`)
  await ask(200, `PUT /expenses/${expense.id}`, { notes: "with Els" })
  await ask(412, `PUT /expenses/${expense.id}`, {}, { headers: { "if-match": '"v99"' } })
  await ask(200, `POST /expenses/${expense.id}/mark-billable`)
  const convert = `POST /expenses/${expense.id}/convert-to-invoice-item`
  const invoice = await draft()
  await ask(422, convert, { invoice_id: (await issued()).id })
  await ask(422, convert, { invoice_id: (await draft({ currency: "USD" })).id })
  await ask(200, convert, { invoice_id: invoice.id, markup_percentage: 10 })
  await ask(422, convert, { invoice_id: invoice.id })
  await ask(200, `POST /expenses/${expense.id}/link-to-invoice`, { invoice_id: invoice.id })
  await ask(422, `POST /expenses/${expense.id}/link-to-invoice`, { invoice_id: 999_999_999 })
  await ask(200, `POST /expenses/${expense.id}/mark-paid`, { paid_at: "2026-03-01" })
  await ask(422, `POST /expenses/${expense.id}/mark-paid`)
  await ask(422, `DELETE /expenses/${expense.id}`)
  const copy = await ask(201, `POST /expenses/${expense.id}/duplicate`)
  await ask(200, `DELETE /expenses/${copy.id}`)
  await ask(404, `GET /expenses/${copy.id}`)
  await ask(200, `PUT /organizations/${id}`, { settings: [{ key: "books_locked_until", value: "2019-12-31" }] })
  await ask(422, "POST /expenses", expenseBody({ expense_date: "2019-12-31" }))
}

export const walkPayments = async (books: Books, ask: Ask) => {
  const invoice = await books.issued()
  const payment = await ask(201, "POST /payments", paymentBody(invoice.id, 100))
  await ask(422, "POST /payments", paymentBody(invoice.id, 5000))
  await ask(200, "GET /payments?status=completed")
  await ask(200, `GET /payments/${payment.id}`)
  await ask(200, `PUT /payments/${payment.id}`, { reference: "R-1" })
  await ask(422, `POST /payments/${payment.id}/refund`, { amount: 5000 })
  const { refunds } = await ask(200, `POST /payments/${payment.id}/refund`, { amount: 10, reason: "broken" })
  await ask(422, `DELETE /payments/${payment.id}`)
  await ask(200, `DELETE /payments/${payment.id}/refunds/${refunds[0].id}`)
  await ask(422, `POST /invoices/${invoice.id}/refund`)
  const prepaid = await books.issued({ prepaid_amount: 1 })
  const note = await ask(201, "POST /credit-notes", { invoice_id: prepaid.id, amount: prepaid.total, reason: "Broken" })
  await ask(200, `POST /credit-notes/${note.id}/send`, { recipients: ["ap@beta.eu"] })
  await ask(200, `POST /invoices/${prepaid.id}/refund`)
  const other = await ask(201, "POST /payments", paymentBody(invoice.id, 1))
  await ask(200, `DELETE /payments/${other.id}`)
}

export const walkQuotes = async ({ body, customer_id }: Books, ask: Ask) => {
  const { due_date: _, ...draft } = body()
  const offer = { ...draft, valid_until: "2999-03-31" }
  const quote = await ask(201, "POST /quotes", offer)
  await ask(422, "POST /quotes", { ...offer, items: [] })
  await ask(200, "GET /quotes?status=draft&per_page=1")
  await ask(200, `GET /customers/${customer_id}/quotes`)
  await ask(200, `GET /quotes/${quote.id}`)
  await ask(200, `PUT /quotes/${quote.id}`, { terms: "30 days" })
  await ask(412, `PUT /quotes/${quote.id}`, {}, { headers: { "if-match": '"v99"' } })
  await ask(200, `GET /quotes/${quote.id}/pdf`)
  const copy = await ask(201, `POST /quotes/${quote.id}/duplicate`)
  await ask(200, `DELETE /quotes/${copy.id}`)
  await ask(422, `POST /quotes/${quote.id}/send`)
  await ask(422, `POST /quotes/${quote.id}/send`, { recipients: "unknown@beta.eu" })
  await ask(200, `POST /quotes/${quote.id}/send`, { recipients: "ap@beta.eu" })
  await ask(200, `GET /quotes/${quote.id}/deliveries`)
  await ask(409, `PUT /quotes/${quote.id}`, { terms: "60 days" })
  await ask(200, `POST /quotes/${quote.id}/mark-accepted`)
  await ask(422, `POST /quotes/${quote.id}/mark-rejected`)
  const invoice = await ask(201, `POST /quotes/${quote.id}/convert-to-invoice`)
  await ask(200, `GET /invoices/${invoice.id}/deliveries`)
  await ask(422, `POST /quotes/${quote.id}/convert-to-invoice`)
  const other = await ask(201, "POST /quotes", offer)
  await ask(200, `POST /quotes/${other.id}/mark-rejected`, { rejection_reason: "Too dear" })
}

/** Calls the endpoints for receipts, in an organization whose quota is one receipt. */
export const walkReceipts = async (ask: Ask, read: () => Promise<unknown>) => {
  const file = await upload()
  const named = (key: string) => ({ ...file, headers: { ...file.headers, "idempotency-key": key } })
  await ask(422, "POST /expenses/upload-receipt", undefined, named("x".repeat(256)))
  await ask(400, "POST /expenses/upload-receipt", "", { headers: { "content-type": "multipart/form-data" } })
  await ask(422, "POST /expenses/upload-receipt", {})
  const { poll_url, receipt_path } = await ask(202, "POST /expenses/upload-receipt", undefined, named("one"))
  await ask(202, "POST /expenses/upload-receipt", undefined, named("one"))
  await ask(413, "POST /expenses/upload-receipt", undefined, file)
  const poll = `GET ${poll_url.replace("/api/v1", "")}`
  await ask(404, `${poll}?organization_id=0`)
  await ask(202, poll)
  await read()
  await ask(200, poll)
  await ask(200, `${poll}/file`)
  const expense = await ask(201, "POST /expenses", expenseBody({ receipt_path }))
  await ask(422, "POST /expenses", expenseBody({ receipt_path }))
  await ask(422, `PUT /expenses/${expense.id}`, { receipt_path: "receipts/none.pdf" })
}

/** Writes what the worker stores about a receipt that cannot be read. */
export const readingDone = Effect.fn("readingDone")(function* (organization_id: number) {
  const sql = yield* SqlClient.SqlClient
  const error = { code: "unreadable", message: "The file cannot be read." }
  const nothing = { source: null, fields: {}, confidence: { overall: 0 }, candidates: {}, checks: [], warnings: [] }
  yield* sql`
    update receipts set status = 'failed', result = ${JSON.stringify({ ...nothing, error })}::jsonb, completed_at = now()
    where organization_id = ${organization_id}`
})

export const walkContacts = async (ask: Ask, customer_id: number) => {
  const contact = await ask(201, "POST /contacts", { customer_id, name: "Els", is_primary: true })
  await ask(200, `GET /contacts?customer_id=${customer_id}`)
  await ask(200, `GET /contacts/${contact.id}`)
  await ask(200, `PUT /contacts/${contact.id}`, { phone: "+32 2 000 00 00" })
  await ask(200, `DELETE /contacts/${contact.id}`)
  await ask(404, `GET /contacts/${contact.id}`)
}

/** Calls the endpoints for webhooks and events; `url` returns the address of a path on the receiver. */
export const walkWebhooks = async (ask: Ask, url: (path: string) => string) => {
  const draft = { url: url("/ok"), events: ["invoice.paid"] }
  const webhook = await ask(201, "POST /webhooks", draft)
  const unheard = await ask(201, "POST /webhooks", { ...draft, url: url("/reset") })
  await ask(422, "POST /webhooks", { ...draft, events: ["invoice.lost"] })
  await ask(200, "GET /webhooks?event=invoice.paid&active=true")
  await ask(200, "GET /webhooks/events")
  await ask(200, `GET /webhooks/${webhook.id}`)
  await ask(200, `PUT /webhooks/${webhook.id}`, { description: "ERP" })
  await ask(500, `POST /webhooks/${unheard.id}/test`)
  await ask(200, `POST /webhooks/${webhook.id}/test`)
  await ask(200, `GET /webhooks/${webhook.id}/logs`)
  await ask(200, `POST /webhooks/${webhook.id}/rotate-secret`)
  await ask(200, `DELETE /webhooks/${webhook.id}`)
  for (let count = 0; count < 49; count++) await ask(201, "POST /webhooks", draft)
  await ask(422, "POST /webhooks", draft)
  await ask(200, "GET /events?after=0")
}
