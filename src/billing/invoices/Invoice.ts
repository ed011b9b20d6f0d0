import { BigDecimal, Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, daysBetween, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId, inText, QuoteId } from "../../kernel/Ids.ts"
import { deletableQuery, type Walking } from "../../kernel/Listing.ts"
import { Amount, Decimal, zero } from "../../kernel/Money.ts"
import { Line, nullable } from "../../kernel/Text.ts"
import { Delivery } from "../sending/Send.ts"
import { AnsweredLineItem, answeredLines, LineItem } from "../lines/LineItem.ts"
import { Adjustment, AnsweredAdjustment, answeredAdjustments } from "../lines/Adjustment.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { invoiceDetails } from "../details/Details.ts"

export const InvoiceStatus = Schema.Literals(["draft", "sent", "partially_paid", "paid", "overdue", "credited", "void"])
export type InvoiceStatus = typeof InvoiceStatus.Type

export const PaymentStatus = Schema.Literals(["unpaid", "partially_paid", "paid", "overpaid"])
export type PaymentStatus = typeof PaymentStatus.Type

const SentMethod = Schema.Literals(["email", "einvoice", "post", "portal", "manual"])
type SentMethod = typeof SentMethod.Type

/** What is stored: the row of `invoices` with its customer's name. Everything else follows from it and the day. */
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
  /** On the whole document; those of a line are its own. */
  discounts: Schema.Array(Adjustment),
  charges: Schema.Array(Adjustment),
  /** BT-109: the lines less `discounts` plus `charges`, without taxes. */
  subtotal: Amount,
  /** All discounts, those of lines too; `subtotal` is less them. */
  discount_total: Amount,
  /** BT-108: the sum of `charges`, which `subtotal` includes. */
  charge_total: Amount,
  tax_total: Amount,
  /** BT-114: what makes the total payable when cents cannot express it; included in `total`. */
  rounding_adjustment: Amount,
  total: Amount,
  tax_breakdown: Schema.Array(TaxGroup),
  /** Paid before the invoice; a part of `amount_paid`. */
  prepaid_amount: Amount,
  amount_paid: Amount,
  amount_credited: Amount,
  amount_refunded: Amount,
  payment_reference: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  terms: Schema.NullOr(Schema.String),
  /** The optional fields without those that are unset; answered one by one. */
  details: invoiceDetails.stored,
  ...clientData,
  issued_at: Schema.NullOr(Timestamp),
  sent_at: Schema.NullOr(Timestamp),
  sent_method: Schema.NullOr(SentMethod),
  paid_at: Schema.NullOr(Timestamp),
  /** When a draft was deleted that had a number, and so is kept. */
  voided_at: Schema.NullOr(Timestamp),
  quote_id: Schema.NullOr(QuoteId),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type InvoiceFacts = typeof InvoiceFacts.Type

const derived = {
  /** Another name of `number`. */
  invoice_number: Schema.NullOr(Schema.String),
  draft_reference: Schema.NullOr(Schema.String),
  status: InvoiceStatus,
  payment_status: PaymentStatus,
  is_overdue: Schema.Boolean,
  days_overdue: Schema.Int,
  balance_due: Amount,
  /** What the customer has paid or been credited beyond the total. */
  refundable_amount: Amount,
  warnings: Schema.optionalKey(Schema.Array(Schema.Literal("non_chronological")))
}

/** An invoice as every endpoint answers it; contract section 5. */
export const Invoice = Schema.Struct({
  ...Struct.omit(InvoiceFacts.fields, ["details"]),
  ...derived,
  items: Schema.Array(AnsweredLineItem),
  discounts: Schema.Array(AnsweredAdjustment),
  charges: Schema.Array(AnsweredAdjustment),
  ...invoiceDetails.answered
})
export type Invoice = typeof Invoice.Type

/** The sent invoice, and what became of the message to each recipient. */
export const SentInvoice = Schema.Struct({ ...Invoice.fields, deliveries: Schema.Array(Delivery) })
export type SentInvoice = typeof SentInvoice.Type

/** A list has neither lines nor details: they are read with the invoice itself. */
export const InvoiceSummaryFacts = Schema.Struct(
  Struct.omit(InvoiceFacts.fields, ["items", "discounts", "charges", "tax_breakdown", "details"])
)
export const InvoiceSummary = Schema.Struct({ ...InvoiceSummaryFacts.fields, ...derived })
export type InvoiceSummary = typeof InvoiceSummary.Type

type Settlement = Pick<InvoiceFacts, "total" | "amount_paid" | "amount_credited" | "amount_refunded">

/** total - credited - (paid - refunded): positive is owed by the customer, negative is owed to them. */
const netOf = ({ amount_credited, amount_paid, amount_refunded, total }: Settlement): BigDecimal.BigDecimal =>
  BigDecimal.sum(BigDecimal.subtract(BigDecimal.subtract(total, amount_credited), amount_paid), amount_refunded)

export const balanceOf = (invoice: Settlement): BigDecimal.BigDecimal => BigDecimal.max(zero, netOf(invoice))

/** Whether all of it was paid before it was issued. */
export const isPrepaid = ({ prepaid_amount, total }: Pick<InvoiceFacts, "prepaid_amount" | "total">): boolean =>
  BigDecimal.isPositive(prepaid_amount) && BigDecimal.equals(prepaid_amount, total)

/** The invoice after its sums moved: a new version, paid since the moment nothing was left to pay. */
export const settled = (moved: InvoiceFacts, at: Timestamp): InvoiceFacts => ({
  ...moved,
  paid_at: BigDecimal.isPositive(netOf(moved)) ? null : (moved.paid_at ?? at),
  updated_at: at,
  version: moved.version + 1
})

type Summary = typeof InvoiceSummaryFacts.Type

/** Derived on reading, in the organization's time zone, so that it cannot go stale; the first that applies holds. */
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

/** Completes stored facts with what follows from them today. */
export const complete = <Facts extends InvoiceFacts>(facts: Facts, today: Day) => ({
  ...completeSummary(facts, today),
  items: answeredLines(facts.items),
  discounts: answeredAdjustments(facts.discounts),
  charges: answeredAdjustments(facts.charges),
  ...invoiceDetails.answer(facts.details)
})

/** The same for an invoice as lists show it. */
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
})
export type MarkSent = typeof MarkSent.Type

/** A status, or `unpaid` for everything issued that still has a balance. */
export const StatusFilter = Schema.Literals([...InvoiceStatus.literals, "unpaid"])
export type StatusFilter = typeof StatusFilter.Type

export const invoicesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-issue_date" } as const

/** What a list is asked for. */
export const invoicesQuery = {
  ...deletableQuery(invoicesSorting),
  ...externalIdFilter,
  status: Schema.optionalKey(StatusFilter),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  customer_id: Schema.optionalKey(inText(CustomerId)),
  /** The end of a number or a payment reference, however it is punctuated, or a part of the customer's name. */
  search: Schema.optionalKey(Line)
}
export type InvoicesQuery = Schema.Struct.Type<typeof invoicesQuery> & Walking

/** An open invoice is issued and not settled yet. */
export const isOpen = ({ status }: Invoice): boolean => !["draft", "paid", "credited", "void"].includes(status)
