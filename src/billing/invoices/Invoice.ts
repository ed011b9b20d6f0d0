import { BigDecimal, Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, daysBetween, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId, inText, QuoteId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, Decimal, zero } from "../../kernel/Money.ts"
import { Line, nullable } from "../../kernel/Text.ts"
import { Delivery } from "../sending/Send.ts"
import { AnsweredLineItem, answeredLines, LineItem } from "../lines/LineItem.ts"
import { Adjustment, AnsweredAdjustment, answeredAdjustments } from "../lines/Adjustment.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { invoiceDetails } from "../details/Details.ts"

export const InvoiceStatus = Schema.Literals([
  "draft",
  "sent",
  "partially_paid",
  "paid",
  "overdue",
  "credited",
  "void"
]).annotate({ identifier: "InvoiceStatus" })
export type InvoiceStatus = typeof InvoiceStatus.Type

export const PaymentStatus = Schema.Literals(["unpaid", "partially_paid", "paid", "overpaid"]).annotate({
  identifier: "PaymentStatus"
})
export type PaymentStatus = typeof PaymentStatus.Type

const SentMethod = Schema.Literals(["email", "einvoice", "post", "portal", "manual"])
type SentMethod = typeof SentMethod.Type

/**
 * The stored row of `invoices` with its customer's name. All other fields are derived from the row and today's date.
 */
export const InvoiceFacts = Schema.Struct({
  id: InvoiceId,
  number: Schema.NullOr(Schema.String),
  customer_id: CustomerId,
  customer: NamedCustomer,
  issue_date: Day,
  due_date: Day,
  currency: CurrencyCode,
  exchange_rate: Schema.NullOr(Decimal),
  items: Schema.Array(LineItem),
  /** Discounts on the whole document; a line holds its own discounts. */
  discounts: Schema.Array(Adjustment),
  charges: Schema.Array(Adjustment),
  /** BT-109: the sum of the lines, less `discounts`, plus `charges`, without taxes. */
  subtotal: Amount,
  /** The sum of document and line discounts. They are already deducted from `subtotal`. */
  discount_total: Amount,
  /** BT-108: the sum of `charges`, which `subtotal` includes. */
  charge_total: Amount,
  tax_total: Amount,
  /**
   * BT-114: the rounding amount that makes up the difference between a given gross total and the sum of net and taxes.
   * `total` includes this amount.
   */
  rounding_adjustment: Amount,
  total: Amount,
  tax_breakdown: Schema.Array(TaxGroup),
  /** The amount paid before the invoice was issued. `amount_paid` includes this amount. */
  prepaid_amount: Amount,
  amount_paid: Amount,
  amount_credited: Amount,
  amount_refunded: Amount,
  payment_reference: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  terms: Schema.NullOr(Schema.String),
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: invoiceDetails.stored,
  ...clientData,
  issued_at: Schema.NullOr(Timestamp),
  sent_at: Schema.NullOr(Timestamp),
  sent_method: Schema.NullOr(SentMethod),
  paid_at: Schema.NullOr(Timestamp),
  /** The time of deletion of a draft that had a number, and is therefore kept. */
  voided_at: Schema.NullOr(Timestamp),
  quote_id: Schema.NullOr(QuoteId),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type InvoiceFacts = typeof InvoiceFacts.Type

const derived = {
  /** An alias of `number`. */
  invoice_number: Schema.NullOr(Schema.String),
  draft_reference: Schema.NullOr(Schema.String),
  status: InvoiceStatus,
  payment_status: PaymentStatus,
  is_overdue: Schema.Boolean,
  days_overdue: Schema.Int,
  balance_due: Amount,
  /** The amount by which payments and credits exceed the total. */
  refundable_amount: Amount,
  warnings: Schema.optionalKey(Schema.Array(Schema.Literal("non_chronological")))
}

/** The representation of an invoice in every response; contract section 5. */
export const Invoice = Schema.Struct({
  ...Struct.omit(InvoiceFacts.fields, ["details"]),
  ...derived,
  items: Schema.Array(AnsweredLineItem),
  discounts: Schema.Array(AnsweredAdjustment),
  charges: Schema.Array(AnsweredAdjustment),
  ...invoiceDetails.answered
}).annotate({ identifier: "Invoice" })
export type Invoice = typeof Invoice.Type

/** The sent invoice, with the delivery result of each recipient. */
export const SentInvoice = Schema.Struct({ ...Invoice.fields, deliveries: Schema.Array(Delivery) }).annotate({
  identifier: "SentInvoice"
})
export type SentInvoice = typeof SentInvoice.Type

/** Lists omit lines and details: a client reads them with the invoice itself. */
export const InvoiceSummaryFacts = Schema.Struct(
  Struct.omit(InvoiceFacts.fields, ["items", "discounts", "charges", "tax_breakdown", "details"])
)
export const InvoiceSummary = Schema.Struct({ ...InvoiceSummaryFacts.fields, ...derived }).annotate({
  identifier: "InvoiceSummary"
})
export type InvoiceSummary = typeof InvoiceSummary.Type

type Settlement = Pick<InvoiceFacts, "total" | "amount_paid" | "amount_credited" | "amount_refunded">

/** total - credited - (paid - refunded): the customer owes a positive amount and is owed a negative one. */
const netOf = ({ amount_credited, amount_paid, amount_refunded, total }: Settlement): BigDecimal.BigDecimal =>
  BigDecimal.sum(BigDecimal.subtract(BigDecimal.subtract(total, amount_credited), amount_paid), amount_refunded)

export const balanceOf = (invoice: Settlement): BigDecimal.BigDecimal => BigDecimal.max(zero, netOf(invoice))

/** True when the whole total was paid before the invoice was issued. */
export const isPrepaid = ({ prepaid_amount, total }: Pick<InvoiceFacts, "prepaid_amount" | "total">): boolean =>
  BigDecimal.isPositive(prepaid_amount) && BigDecimal.equals(prepaid_amount, total)

/**
 * Completes a change of the sums: increments the version, and keeps the first time at which nothing was left to pay.
 */
export const settled = (moved: InvoiceFacts, at: Timestamp): InvoiceFacts => ({
  ...moved,
  paid_at: BigDecimal.isPositive(netOf(moved)) ? null : (moved.paid_at ?? at),
  updated_at: at,
  version: moved.version + 1
})

type Summary = typeof InvoiceSummaryFacts.Type

/**
 * The status is derived on every read, in the organization's time zone, so it never becomes stale. The first matching
 * status applies.
 */
export const statusOf = (invoice: Summary, today: Day): InvoiceStatus => {
  const { amount_credited, amount_paid, amount_refunded, due_date, issued_at, total, voided_at } = invoice
  if (voided_at !== null) return "void"
  if (issued_at === null) return "draft"
  if (BigDecimal.isPositive(amount_credited) && BigDecimal.equals(amount_credited, total)) return "credited"
  if (!BigDecimal.isPositive(netOf(invoice))) return "paid"
  if (due_date < today) return "overdue"
  const settled = BigDecimal.isGreaterThan(amount_paid, amount_refunded) || BigDecimal.isPositive(amount_credited)
  return settled ? "partially_paid" : "sent"
}

const paymentStatusOf = (invoice: Summary): PaymentStatus => {
  const net = netOf(invoice)
  if (BigDecimal.isNegative(net)) return "overpaid"
  if (BigDecimal.isZero(net)) return "paid"
  return BigDecimal.isGreaterThan(invoice.amount_paid, invoice.amount_refunded) ? "partially_paid" : "unpaid"
}

/** Adds the derived fields, which depend on today's date, to the stored facts. */
export const complete = <Facts extends InvoiceFacts>(facts: Facts, today: Day) => ({
  ...completeSummary(facts, today),
  items: answeredLines(facts.items),
  discounts: answeredAdjustments(facts.discounts),
  charges: answeredAdjustments(facts.charges),
  ...invoiceDetails.answer(facts.details)
})

/** Adds the derived fields to an invoice in a list. */
export const completeSummary = <Facts extends Summary>(facts: Facts, today: Day) => {
  const status = statusOf(facts, today)
  const is_overdue = status === "overdue"
  const net = netOf(facts)
  return {
    ...facts,
    invoice_number: facts.number,
    draft_reference: facts.number === null ? `DRAFT-${facts.id}` : null,
    status,
    payment_status: paymentStatusOf(facts),
    is_overdue,
    days_overdue: is_overdue ? daysBetween(facts.due_date, today) : 0,
    balance_due: status === "void" ? zero : BigDecimal.max(zero, net),
    refundable_amount: BigDecimal.max(zero, BigDecimal.negate(net))
  }
}

export const MarkSent = Schema.Struct({
  sent_at: nullable(Moment),
  sent_method: nullable(SentMethod)
}).annotate({ identifier: "MarkInvoiceSent" })
export type MarkSent = typeof MarkSent.Type

/** A status, or `unpaid` for every issued invoice with a balance due. */
export const StatusFilter = Schema.Literals([...InvoiceStatus.literals, "unpaid"])
export type StatusFilter = typeof StatusFilter.Type

export const invoicesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-issue_date" } as const

/** The query parameters of the invoice list. */
export const invoicesQuery = {
  ...deletableQuery(invoicesSorting),
  ...externalIdFilter,
  status: Schema.optionalKey(StatusFilter),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  customer_id: Schema.optionalKey(inText(CustomerId)),
  /**
   * The search text: the end of a number or a payment reference, ignoring punctuation, or a part of the customer's
   * name.
   */
  search: Schema.optionalKey(Line)
}
export type InvoicesQuery = Schema.Struct.Type<typeof invoicesQuery> & CursorRequest

/** An open invoice is issued but not yet settled. */
export const isOpen = ({ status }: Invoice): boolean => !["draft", "paid", "credited", "void"].includes(status)
