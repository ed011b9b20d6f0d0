import { newLine, openAccount } from "../../banking/Books.ts"
import type { App } from "../../support/App.ts"
import { type Books, line, paymentBody } from "../../support/Billing.ts"
import { expenseBody } from "../../support/Expenses.ts"
import type { Belongings } from "./Belongings.ts"
import type { IdPlace } from "./IdPlaces.ts"
import { registrationBody } from "../../support/counterparts/Network.ts"
import { upload } from "../walks/Upload.ts"

/** A request that succeeds if it is sent unchanged, because every id in it belongs to the organization. */
export interface Given {
  readonly path?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, number | string>>
  readonly body?: unknown
}

type Making = () => Given | Promise<Given>

/** Builds a request for each operation that accepts ids outside of its path; each call creates new records. */
export const requestsOf = (app: App, books: Books, own: Belongings): Readonly<Record<string, Making>> => {
  const { customer_id, id, made, tax_rate_ids } = books
  const first = (collection: string) => own[collection]?.[0] ?? 0
  const items = [line(100, { tax_rate_ids })]
  const offer = () => ({ ...books.body({ items }), valid_until: "2999-03-31" })
  const expense = async () => ({ expenses: (await made("POST", "/expenses", expenseBody())).id })
  const receipt_path = async () => {
    const { body } = await books.call("POST", "/expenses/upload-receipt", undefined, await upload())
    return body.data.receipt_path
  }
  const credit = async () => ({ invoice_id: (await books.issued()).id, amount: 1, reason: "Returned" })
  const change = { customer_id, items }
  const creditedLines = async () => {
    const invoice = await books.issued()
    return {
      invoice_id: invoice.id,
      items: [{ invoice_item_id: invoice.items[0].id, quantity: 0.5 }],
      reason: "Returned"
    }
  }
  const changedLines = async () => {
    const body = await creditedLines()
    return { path: { "credit-notes": (await made("POST", "/credit-notes", body)).id }, body: { items: body.items } }
  }
  const debit = async (amount = "-5,00") => newLine(app, books, Number(first("bank-accounts")), amount)
  const paidBy = async (amount: string, of: object) => ({
    path: { "bank-transactions": await newLine(app, books, Number(first("bank-accounts")), amount) },
    body: of
  })
  const invoice_of = async () => ({ invoice_id: (await books.issued()).id })
  const expense_of = async () => ({ expense_id: (await expense()).expenses })
  const refund_of = async () => {
    const { payment } = await books.paid()
    const { refunds } = await made("POST", `/payments/${payment.id}/refund`, { amount: 5 })
    return { payment_refund_id: refunds[0].id }
  }
  const note_of = async () => {
    const { invoice } = await books.paid()
    const note = await made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 5, reason: "Broken" })
    await made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"], attach_pdf: false })
    return { credit_note_id: note.id }
  }
  const recorded_of = async () => {
    const invoice = await books.issued()
    const { id: payment_id } = await books.pay(invoice, 50)
    return { invoice_id: invoice.id, payment_id }
  }
  const transfer_of = async () => {
    const other = await openAccount(app, books.id, { iban: null })
    return { transfer_transaction_id: await newLine(app, books, other, "5,00") }
  }
  const rule = () => ({
    name: "Fees",
    bank_account_id: first("bank-accounts"),
    conditions: [{ type: "remittance_equals", value: "fees of nobody" }],
    actions: { counterparty_id: first("counterparties"), tax_rate_ids }
  })
  return {
    "contacts.list": () => ({ query: { customer_id } }),
    "contacts.create": () => ({ body: { customer_id, name: "Els" } }),
    "contacts.update": () => ({ path: { contacts: first("contacts") }, body: { customer_id } }),
    "invoices.list": () => ({ query: { customer_id } }),
    "invoices.create": () => ({ body: books.body({ items }) }),
    "invoices.update": async () => ({ path: { invoices: (await books.draft()).id }, body: change }),
    "payments.list": () => ({ query: { customer_id, invoice_id: first("invoices") } }),
    "payments.create": async () => ({ body: paymentBody((await books.issued()).id, 1) }),
    "payments.update": () => ({ path: { payments: first("payments") }, body: { reference: "R-1" } }),
    "quotes.list": () => ({ query: { customer_id } }),
    "quotes.create": () => ({ body: offer() }),
    "quotes.update": async () => ({ path: { quotes: (await made("POST", "/quotes", offer())).id }, body: change }),
    "creditNotes.list": () => ({ query: { customer_id, invoice_id: first("invoices") } }),
    "creditNotes.create": async () => ({ body: await credit() }),
    "creditNotes.update": async () => ({
      path: { "credit-notes": (await made("POST", "/credit-notes", await credit())).id },
      body: { reason: "Damaged" }
    }),
    "creditNotes.create items.*.invoice_item_id": async () => ({ body: await creditedLines() }),
    "creditNotes.update items.*.invoice_item_id": changedLines,
    "creditNotes.send": async () => ({
      path: { "credit-notes": (await made("POST", "/credit-notes", await credit())).id },
      body: { contact_ids: [first("contacts")], attach_pdf: false }
    }),
    "batch.createInvoices": () => ({ body: { invoices: [books.body({ items })] } }),
    "batch.updateInvoices": async () => ({ body: { updates: [{ id: (await books.draft()).id, ...change }] } }),
    "batch.sendInvoices": async () => ({ body: { invoice_ids: [(await books.issued()).id], attach_pdf: false } }),
    "expenses.create": async () => ({ body: expenseBody({ receipt_path: await receipt_path() }) }),
    "expenses.update": async () => ({ path: await expense(), body: { receipt_path: await receipt_path() } }),
    "expenses.convertToInvoiceItem": async () => ({
      path: await expense(),
      body: { invoice_id: (await books.draft()).id }
    }),
    "expenses.linkToInvoice": async () => ({ path: await expense(), body: { invoice_id: (await books.draft()).id } }),
    "receipts.upload": async () => ({ body: { expense_id: String((await expense()).expenses) } }),
    "receipts.download": () => ({ path: { ocr: first("ocr") } }),
    "receipts.poll": () => ({ path: { ocr: first("ocr") }, query: { organization_id: id } }),
    "bankTransactions.list": () => ({ query: { bank_account_id: first("bank-accounts") } }),
    "bankRules.create": () => ({ body: rule() }),
    "bankRules.update": () => ({ path: { "bank-rules": first("bank-rules") }, body: rule() }),
    "bankTransactions.bulkConfirm": async () => {
      const { number } = await books.issued()
      const line = await newLine(app, books, Number(first("bank-accounts")), "121,00", number)
      return { body: { transaction_ids: [line] } }
    },
    "bankTransactions.createDocument": async () => ({
      path: { "bank-transactions": await debit() },
      body: { counterparty_id: first("counterparties") }
    }),
    "bankTransactions.unmatch": async () => {
      const line = await debit()
      const { id: match_id } = await made("POST", `/bank-transactions/${line}/create-document`)
      return { path: { "bank-transactions": line }, body: { match_id } }
    },
    "bankTransactions.match invoice_id": async () => paidBy("121,00", await invoice_of()),
    "bankTransactions.match expense_id": async () => paidBy("-121,00", await expense_of()),
    "bankTransactions.match allocations.*.invoice_id": async () =>
      paidBy("121,00", { allocations: [await invoice_of()] }),
    "bankTransactions.match allocations.*.expense_id": async () =>
      paidBy("-121,00", { allocations: [await expense_of()] }),
    "bankTransactions.match payment_id": async () => paidBy("50,00", await recorded_of()),
    "bankTransactions.match allocations.*.payment_id": async () =>
      paidBy("50,00", { allocations: [await recorded_of()] }),
    ...Object.fromEntries(
      Object.entries({
        payment_refund_id: refund_of,
        credit_note_id: note_of,
        transfer_transaction_id: transfer_of
      }).flatMap(([name, of]) => [
        [`bankTransactions.match ${name}`, async () => paidBy("-5,00", await of())],
        [`bankTransactions.match allocations.*.${name}`, async () => paidBy("-5,00", { allocations: [await of()] })]
      ])
    ),
    "registrations.register": () => ({ body: registrationBody(id) }),
    "registrations.update": () => ({ body: { organization_id: id, acts_as_sender: true } }),
    "einvoicingDirectory.search": () => ({
      query: {
        organization_id: id,
        country_code: "BE",
        identifier_scheme: "0208",
        identifier_value: "0202239951"
      }
    }),
    "einvoices.submit": async () => ({ body: submission(id, (await books.issued()).id) }),
    "einvoices.validate": () => ({ body: submission(id, first("invoices")) }),
    "batch.remove customers": async () => removal("customers", await made("POST", "/customers", { name: "Gone" })),
    "batch.remove contacts": async () =>
      removal("contacts", await made("POST", "/contacts", { customer_id, name: "Els" })),
    "batch.remove invoices": async () => removal("invoices", await books.draft()),
    "batch.remove quotes": async () => removal("quotes", await made("POST", "/quotes", offer())),
    "batch.remove payments": async () => removal("payments", await books.pay(await books.issued())),
    "batch.remove expenses": async () => removal("expenses", await made("POST", "/expenses", expenseBody())),
    "batch.remove webhooks": async () =>
      removal("webhooks", await made("POST", "/webhooks", { url: "https://hooks.example.com", events: ["*"] }))
  }
}

const submission = (organization_id: number, invoice_id: number | string) => ({
  organization_id,
  invoice_id,
  recipient_identifier_scheme: "0208",
  recipient_identifier_value: "0202239951",
  recipient_name: "Beta",
  recipient_country_code: "BE"
})

const removal = (resource: string, { id }: { readonly id: number }): Given => ({ query: { resource, ids: id } })

/** The collection in `Belongings` whose ids the property accepts; undefined if this file lacks the property. */
export const collectionOf = ({ name, operation, path }: IdPlace, resource: string | undefined): string | undefined => {
  if (operation === "batch.remove") return resource
  if (name === "id") return path.at(-3) === "items" ? "lines" : "invoices"
  return collections[name]
}

const collections: Readonly<Record<string, string>> = {
  customer_id: "customers",
  invoice_id: "invoices",
  linked_invoice_id: "invoices",
  credit_note_id: "credit-notes",
  invoice_item_id: "lines",
  invoice_ids: "invoices",
  contact_ids: "contacts",
  tax_rate_ids: "tax-rates",
  expense_id: "expenses",
  receipt_path: "receipt_paths",
  bank_account_id: "bank-accounts",
  payment_id: "payments",
  payment_refund_id: "refunds",
  transfer_transaction_id: "bank-transactions",
  transaction_ids: "bank-transactions",
  counterparty_id: "counterparties",
  match_id: "matches",
  organization_id: "organizations"
}

/** Properties that hold no id of an organization's record, or that another test covers, each with the reason. */
export const elsewhere: Readonly<Record<string, string>> = {
  "creditNotes.update items.*.id": "Test in test/billing/credit-notes/CreditNoteChanges.test.ts.",
  "oauth.authorize client_id": "A client is of no organization.",
  "oauth.token client_id": "A client is of no organization.",
  "oauthExtensions.revoke client_id": "A client is of no organization.",
  "einvoices.submit credit_note_id": "Shown by test/einvoicing/documents/CreditNoteSubmissions.test.ts.",
  "einvoices.validate credit_note_id": "Shown by test/einvoicing/documents/CreditNoteSubmissions.test.ts.",
  "registrations.register tax_reference_id": "A number of the tax authority.",
  "oauth.token organization_id": "Shown by test/identity/oauth/TokenEndpoint.test.ts.",
  "invoices.create embedded_attachment_ids.*": "Shown by test/billing/details/Details.test.ts.",
  "invoices.update embedded_attachment_ids.*": "Shown by test/billing/details/Details.test.ts.",
  "batch.createInvoices invoices.*.embedded_attachment_ids.*": "Shown by test/billing/details/Details.test.ts.",
  "batch.updateInvoices updates.*.embedded_attachment_ids.*": "Shown by test/billing/details/Details.test.ts."
}

/** Places in requests whose id is not checked, so any number is accepted. */
export const ignored: Readonly<Record<string, string>> = {
  "invoices.create items.*.id": "A new document has no lines yet.",
  "invoices.update items.*.id": "The id of no line of this document makes a new line.",
  "quotes.create items.*.id": "A new document has no lines yet.",
  "quotes.update items.*.id": "The id of no line of this document makes a new line.",
  "batch.createInvoices invoices.*.items.*.id": "A new document has no lines yet.",
  "batch.updateInvoices updates.*.items.*.id": "The id of no line of this document makes a new line."
}

/** Places in requests at which these tests get a refusal for every id, each with the reason. */
export const immutable: Readonly<Record<string, string>> = {
  "expenses.update linked_invoice_id": "A PUT accepts only the linked invoice, or null, which undoes the link.",
  "payments.update invoice_id": "A payment stays with its invoice.",
  "einvoices.submit organization_id": "Ours is not approved yet; test/einvoicing/documents shows one that is.",
  "einvoices.submit invoice_id": "Ours is not approved yet; test/einvoicing/documents shows one that is.",
  "registrations.register organization_id": "An organization registers once, and ours has."
}
