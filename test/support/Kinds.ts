import { creditsOf } from "../billing/credit-notes/Credits.ts"
import { line, paymentBody } from "./Billing.ts"
import { type ExpenseBooks, expenseBody } from "./Expenses.ts"

/** A kind of record that clients sync: how it is created, changed and deleted. */
export interface Kind {
  readonly object: string
  readonly path: string
  /** Returns the body of a new record, which is valid on every call. */
  readonly body: () => Promise<object>
  /** Returns a valid change; null if no endpoint changes such a record. */
  readonly change: ((text: string) => object) | null
}

const notes = (text: string) => ({ notes: text })

/**
 * Returns the kinds of records that have an external id. The bodies refer to records of the organization of `books`.
 */
export const kindsOf = async (books: ExpenseBooks): Promise<ReadonlyArray<Kind>> => {
  const { customer_id } = books
  const credits = creditsOf(books)
  /** The amount is large enough for everything that a test pays and credits. */
  const invoice = await books.issued({ items: [line(1_000_000)] })
  const quote = { customer_id, issue_date: "2026-03-01", valid_until: "2999-01-01", currency: "EUR", items: [line(1)] }
  return [
    { object: "customer", path: "/customers", body: async () => ({ name: "Gamma" }), change: notes },
    { object: "contact", path: "/contacts", body: async () => ({ customer_id, name: "Ann" }), change: notes },
    { object: "invoice", path: "/invoices", body: async () => books.body(), change: notes },
    { object: "quote", path: "/quotes", body: async () => quote, change: notes },
    { object: "credit_note", path: "/credit-notes", body: async () => credits.body(invoice, 1), change: null },
    { object: "payment", path: "/payments", body: async () => paymentBody(invoice.id, 1), change: notes },
    { object: "expense", path: "/expenses", body: async () => expenseBody(), change: notes }
  ]
}

export const kinds = ["customer", "contact", "invoice", "quote", "credit_note", "payment", "expense"] as const
