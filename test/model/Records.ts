import type { CreditedLine } from "./CreditedLines.ts"
import type { Line } from "./Lines.ts"

/** Amounts are integers in the smallest unit of the run's currency. An `id` is 0 until the service has returned one. */
export interface Customer {
  id: number
  readonly kind: "customer"
  name: string
  readonly email: boolean
  deleted: boolean
}

interface Document {
  id: number
  number: string | null
  customer: Customer
  issue_date: string
  last_day: string
  lines: ReadonlyArray<Line>
  /** Amount that was paid before the document, at most its total. */
  prepaid: number
  deleted: boolean
}

export interface Invoice extends Document {
  readonly kind: "invoice"
  readonly quote: Quote | null
  /** A draft may already have a number; deleting such a draft makes it void. */
  issued: boolean
  void: boolean
  sent_method: string | null
  /** Due date for which `invoice.overdue` was published. */
  announced: string | null
}

export interface Quote extends Document {
  readonly kind: "quote"
  status: "draft" | "sent" | "accepted" | "rejected" | "converted"
  sent: boolean
  accepted: boolean
  invoice: Invoice | null
}

export interface Note {
  id: number
  readonly kind: "note"
  number: string | null
  readonly invoice: Invoice
  readonly amount: number
  /** Null for a credit note that was created from an amount instead of lines. */
  readonly lines: ReadonlyArray<CreditedLine> | null
  readonly credit_type: string
  refundable: number
  deleted: boolean
}

export interface Payment {
  id: number
  readonly kind: "payment"
  readonly invoice: Invoice
  readonly amount: number
  date: string
  readonly refunds: Array<number>
  /** The day of the earliest refund. */
  first_refund: string | undefined
  deleted: boolean
}

export interface Expense {
  id: number
  readonly kind: "expense"
  amount: number
  readonly tax: number
  /** Percentage of the tax that is deductible. */
  readonly deductible: number
  billable: boolean
  paid: boolean
  billed: { readonly invoice: Invoice; readonly line: Line } | null
  linked: Invoice | null
  deleted: boolean
}

export type Record = Customer | Invoice | Quote | Note | Payment | Expense
export type Kind = Record["kind"]
export type RecordOf<K extends Kind> = Extract<Record, { readonly kind: K }>
