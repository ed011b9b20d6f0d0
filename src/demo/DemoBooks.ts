import { Context, Effect, Layer, Schema } from "effect"
import { type Invoice, MarkSent } from "../billing/invoices/Invoice.ts"
import { Invoices } from "../billing/invoices/writing/Invoices.ts"
import { InvoiceDraft } from "../billing/invoices/writing/InvoiceDraft.ts"
import { QuoteDraft } from "../billing/quotes/Quote.ts"
import { Quotes } from "../billing/quotes/Quotes.ts"
import { QuoteSender } from "../billing/quotes/QuoteSender.ts"
import { MarkPaid } from "../billing/payments/Payment.ts"
import { Payments } from "../billing/payments/Payments.ts"
import { ContactDraft } from "../customers/Contact.ts"
import { Contacts } from "../customers/contacts/Contacts.ts"
import { type Customer, CustomerDraft } from "../customers/Customer.ts"
import { Customers } from "../customers/Customers.ts"
import { addDays } from "../kernel/Calendar.ts"
import { todayHere } from "../platform/http/Today.ts"
import type { CustomerId } from "../kernel/Ids.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import { ExpenseDraft } from "../expenses/Expense.ts"
import { Expenses } from "../expenses/Expenses.ts"
import type { DemoCustomer, DemoExpense, DemoInvoice, DemoQuote } from "./DemoOrganization.ts"

const paid_after_days = 9

/**
 * Creates customers, invoices, quotes and expenses of demo organizations. Dies if a service refuses the demo's data.
 */
export class DemoBooks extends Context.Service<
  DemoBooks,
  {
    readonly addCustomer: (customer: DemoCustomer) => Effect.Effect<Customer, never, Caller>
    readonly addInvoice: (invoice: DemoInvoice, customer_id: CustomerId) => Effect.Effect<Invoice, never, Caller>
    readonly addQuote: (quote: DemoQuote, customer_id: CustomerId) => Effect.Effect<void, never, Caller>
    readonly addExpense: (expense: DemoExpense) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/demo/DemoBooks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const contacts = yield* Contacts
      const invoices = yield* Invoices
      const payments = yield* Payments
      const quotes = yield* Quotes
      const sending = yield* QuoteSender
      const expenses = yield* Expenses

      const addCustomer = Effect.fn("DemoBooks.addCustomer")(function* ({ contact, details }: DemoCustomer) {
        const customer = yield* customers.create(yield* decodeCustomer(details))
        yield* contacts.create(yield* decodeContact({ ...contact, customer_id: customer.id }))
        return customer
      }, Effect.orDie)

      const addInvoice = Effect.fn("DemoBooks.addInvoice")(function* (demo: DemoInvoice, customer_id: CustomerId) {
        const { currency } = yield* CurrentOrganization
        const today = yield* todayHere
        const issue_date = addDays(today, demo.issued)
        const dates = { issue_date, due_date: addDays(today, demo.due) }
        const { items, notes = null } = demo
        const draft = yield* invoices.create(yield* decodeInvoice({ customer_id, currency, ...dates, notes, items }))
        if (demo.status === "draft") return draft
        const sent = yield* invoices.markSent(
          draft.id,
          yield* decodeSent({ sent_at: issue_date, sent_method: "email" })
        )
        if (demo.status !== "paid" && demo.status !== "partially_paid") return sent
        const payment_date = addDays(issue_date, paid_after_days)
        const amount = demo.received ?? null
        return yield* payments.markPaid(draft.id, yield* decodePaid({ payment_date, amount }))
      }, Effect.orDie)

      const addQuote = Effect.fn("DemoBooks.addQuote")(function* (demo: DemoQuote, customer_id: CustomerId) {
        const { currency } = yield* CurrentOrganization
        const today = yield* todayHere
        const dates = { issue_date: addDays(today, demo.issued), valid_until: addDays(today, demo.valid_until) }
        const { items, status } = demo
        const { id } = yield* quotes.create(yield* decodeQuote({ customer_id, currency, ...dates, items }))
        // The quote is marked as sent without a mail, because the demo sends no mail.
        if (status === "sent") yield* sending.markSent(id)
      }, Effect.orDie)

      const addExpense = Effect.fn("DemoBooks.addExpense")(function* ({ details, spent }: DemoExpense) {
        const { currency } = yield* CurrentOrganization
        const expense_date = addDays(yield* todayHere, spent)
        yield* expenses.create(yield* decodeExpense({ ...details, currency, expense_date }))
      }, Effect.orDie)

      return DemoBooks.of({ addCustomer, addInvoice, addQuote, addExpense })
    })
  ).pipe(
    Layer.provide([Customers.layer, Contacts.layer, Invoices.layer, Payments.layer]),
    Layer.provide([Quotes.layer, QuoteSender.layer, Expenses.layer])
  )
}

const decodeCustomer = Schema.decodeEffect(CustomerDraft)
const decodeContact = Schema.decodeEffect(ContactDraft)
const decodeInvoice = Schema.decodeEffect(InvoiceDraft)
const decodeQuote = Schema.decodeEffect(QuoteDraft)
const decodeExpense = Schema.decodeEffect(ExpenseDraft)
const decodeSent = Schema.decodeEffect(MarkSent)
const decodePaid = Schema.decodeEffect(MarkPaid)
