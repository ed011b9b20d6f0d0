import { BigDecimal, Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, daysBetween, MomentOrDay, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId, inText, QuoteId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, Decimal, zero } from "../../kernel/Money.ts"
import { nullable } from "../../kernel/Text.ts"
import { Delivery } from "../sending/Send.ts"
import { AnsweredLineItem, answeredLines, LineItem } from "../lines/LineItem.ts"
import { Adjustment, AnsweredAdjustment, answeredAdjustments } from "../lines/Adjustment.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { searchFilter } from "../search/SearchFilter.ts"
import { TaxWarning } from "../taxes/TaxWarning.ts"
import { invoiceDetails } from "../details/Details.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"

export const InvoiceStatus = Schema.Literals([
  "draft",
  "sent",
  "partially_paid",
  "paid",
  "overdue",
  "credited",
  "void"
]).annotate({
  identifier: "InvoiceStatus",
  description:
    "`draft`: not issued; `sent`: issued; `partially_paid`: partly paid or credited; `paid`: nothing left to pay; `overdue`: past its due date; `credited`: credited as a whole; `void`: a deleted draft that keeps its number."
})
export type InvoiceStatus = typeof InvoiceStatus.Type

export const PaymentStatus = Schema.Literals(["unpaid", "partially_paid", "paid", "overpaid"]).annotate({
  identifier: "PaymentStatus",
  description:
    "`unpaid`, `partially_paid`, `paid`: nothing left to pay; `overpaid`: more was paid or credited than the total."
})
export type PaymentStatus = typeof PaymentStatus.Type

const SentMethod = Schema.Literals(["email", "einvoice", "post", "portal", "manual"])
type SentMethod = typeof SentMethod.Type

export const InvoiceFacts = Schema.Struct({
  id: InvoiceId,
  number: described(Schema.NullOr(Schema.String), "Number of the invoice; null until it is issued.", "INV-2026-0042"),
  customer_id: CustomerId,
  customer: NamedCustomer,
  issue_date: described(Day, "Day on which the invoice is issued, in the time zone of the organization.", "2026-03-01"),
  due_date: described(Day, "Last day to pay.", "2026-03-31"),
  currency: described(CurrencyCode, "Currency of all amounts of the invoice (ISO 4217).", "EUR"),
  exchange_rate: described(
    Schema.NullOr(Decimal),
    "Units of the organization's currency for one unit of the invoice's; null if none was given."
  ),
  items: described(Schema.Array(LineItem), "Lines of the invoice."),
  discounts: described(
    Schema.Array(Adjustment),
    "Discounts on the whole invoice (BG-20); discounts on a line are part of the line."
  ),
  charges: described(Schema.Array(Adjustment), "Charges on the whole invoice (BG-21)."),
  subtotal: described(Amount, "Sum of the lines, less `discounts`, plus `charges`, without taxes (BT-109)."),
  discount_total: described(
    Amount,
    "Sum of the discounts on the invoice and on its lines, already deducted from `subtotal`."
  ),
  charge_total: described(Amount, "Sum of `charges`, which `subtotal` includes (BT-108)."),
  tax_total: described(Amount, "Sum of all taxes."),
  rounding_adjustment: described(
    Amount,
    "Difference between a given gross total and the sum of net and taxes, which `total` includes (BT-114)."
  ),
  total: described(Amount, "Total with taxes."),
  tax_breakdown: described(Schema.Array(TaxGroup), "Taxes by rate."),
  prepaid_amount: described(
    Amount,
    "Amount that was paid before the invoice was issued (part of BT-113); `amount_paid` includes it."
  ),
  amount_paid: described(Amount, "Amount that was paid so far, before refunds."),
  amount_credited: described(Amount, "Amount with taxes of the credit notes that were sent."),
  amount_refunded: described(Amount, "Amount that was refunded of the payments."),
  payment_reference: described(
    Schema.NullOr(Schema.String),
    "Reference for the transfer: a Belgian structured communication or an ISO 11649 reference; null until the invoice is issued.",
    "+++020/2600/04222+++"
  ),
  notes: described(
    Schema.NullOr(Schema.String),
    "Text for the customer, printed on the invoice; null if there is none."
  ),
  terms: described(
    Schema.NullOr(Schema.String),
    "Terms of payment or sale, printed on the invoice; null if there are none."
  ),
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: invoiceDetails.stored,
  ...clientData,
  issued_at: described(Schema.NullOr(Timestamp), "Time at which the invoice was issued; null for a draft."),
  sent_at: described(Schema.NullOr(Timestamp), "Time at which the invoice was sent; null if it was not."),
  sent_method: described(Schema.NullOr(SentMethod), "How the invoice was sent; null if it was not."),
  paid_at: described(Schema.NullOr(Timestamp), "Time at which the invoice was fully paid or credited; null before."),
  voided_at: described(
    Schema.NullOr(Timestamp),
    "Time of deletion of a draft that had a number, and is therefore kept; null for all others."
  ),
  quote_id: described(Schema.NullOr(QuoteId), "Quote from which this invoice was created; null if none."),
  ...recordFields
})
export type InvoiceFacts = typeof InvoiceFacts.Type

const InvoiceWarning = Schema.Literals([
  "non_chronological",
  "payee_iban_missing",
  "tax_rate_archived",
  ...TaxWarning.literals
]).annotate({
  identifier: "InvoiceWarning",
  description:
    "`non_chronological`: an invoice with a later date of issue was issued before. `payee_iban_missing`: " +
    "the payee is to receive a transfer, but `payment_means` names no IBAN, so the invoice states the account of the " +
    "organization. `tax_rate_archived`: the duplicate, or the invoice made from a quote, keeps a tax rate that is archived; " +
    "if it no longer applies, change the lines before you issue the draft. `customer_tax_number_missing`: a " +
    "reverse charge or an intra-community supply needs the customer's tax number. " +
    "`delivery_date_missing`: the e-invoice of an intra-community supply needs the date or the period of its delivery, " +
    "which cannot be added after the invoice was issued. `tax_category_doubtful`: an " +
    "intra-community supply goes to another member state of the EU, and an export to a country outside of the EU. " +
    "`tax_rate_doubtful`: a rate is of a third country, or goods for a consumer in another member state have the seller's rate. " +
    "`tax_rate_missing`: a line without `tax_rate_ids` got no tax, because the organization has no default tax rate; " +
    "`tax_exempt` says that this is intended."
})
type InvoiceWarning = typeof InvoiceWarning.Type

/** Returns the field `warnings` of a response; nothing if there are none. */
export const warned = (...warnings: ReadonlyArray<InvoiceWarning>): Pick<Invoice, "warnings"> =>
  warnings.length === 0 ? {} : { warnings }

const derived = {
  invoice_number: described(Schema.NullOr(Schema.String), "The same as `number`."),
  draft_reference: described(
    Schema.NullOr(Schema.String),
    "Name of a draft without a number; null once it has a number.",
    "DRAFT-17"
  ),
  status: InvoiceStatus,
  payment_status: PaymentStatus,
  is_overdue: described(Schema.Boolean, "True if the due date has passed and something is left to pay."),
  days_overdue: described(Schema.Int, "Days since the due date if the invoice is overdue, or else 0."),
  balance_due: described(
    Amount,
    "Amount that is left to pay: total, less credits and payments, plus refunds; never negative."
  ),
  refundable_amount: described(Amount, "Amount by which payments and credits exceed the total."),
  warnings: described(
    Schema.optionalKey(Schema.Array(InvoiceWarning)),
    "Doubts about the invoice, which refuse nothing, after its content was written or it was issued. Absent if there are none."
  )
}

export const Invoice = Schema.Struct({
  ...Struct.omit(InvoiceFacts.fields, ["details"]),
  ...derived,
  items: described(Schema.Array(AnsweredLineItem), "Lines of the invoice."),
  discounts: described(
    Schema.Array(AnsweredAdjustment),
    "Discounts on the whole invoice (BG-20); discounts on a line are part of the line."
  ),
  charges: described(Schema.Array(AnsweredAdjustment), "Charges on the whole invoice (BG-21)."),
  ...invoiceDetails.answered
}).annotate({ identifier: "Invoice", description: "An invoice to a customer." })
export type Invoice = typeof Invoice.Type

export const SentInvoice = Schema.Struct({
  ...Invoice.fields,
  deliveries: described(Schema.Array(Delivery), "Result of the delivery to each recipient.")
}).annotate({
  identifier: "SentInvoice",
  description: "The invoice that was sent, with the result of each delivery."
})
export type SentInvoice = typeof SentInvoice.Type

export const InvoiceSummaryFacts = Schema.Struct(
  Struct.omit(InvoiceFacts.fields, ["items", "discounts", "charges", "tax_breakdown", "details"])
)
export const InvoiceSummary = Schema.Struct({ ...InvoiceSummaryFacts.fields, ...derived }).annotate({
  identifier: "InvoiceSummary",
  description: "An invoice in a list, without its lines and details."
})
export type InvoiceSummary = typeof InvoiceSummary.Type

type Settlement = Pick<InvoiceFacts, "total" | "amount_paid" | "amount_credited" | "amount_refunded">

/** Positive if the customer owes the amount to the organization, negative if the organization owes it. */
const netOf = ({ amount_credited, amount_paid, amount_refunded, total }: Settlement): BigDecimal.BigDecimal =>
  BigDecimal.sum(BigDecimal.subtract(BigDecimal.subtract(total, amount_credited), amount_paid), amount_refunded)

export const balanceOf = (invoice: Settlement): BigDecimal.BigDecimal => BigDecimal.max(zero, netOf(invoice))

/** Amount by which payments and credit notes exceed the total. */
export const overpaidOf = (invoice: Settlement): BigDecimal.BigDecimal =>
  BigDecimal.max(zero, BigDecimal.negate(netOf(invoice)))

/** True when nothing is left to pay at issue: the whole total was paid before, or the total is zero. */
export const isPaidAtIssue = ({ prepaid_amount, total }: Pick<InvoiceFacts, "prepaid_amount" | "total">): boolean =>
  BigDecimal.equals(prepaid_amount, total)

/** Increments the version, and keeps the first time at which nothing was left to pay. */
export const settled = (changed: InvoiceFacts, at: Timestamp): InvoiceFacts => ({
  ...changed,
  paid_at: BigDecimal.isPositive(netOf(changed)) ? null : (changed.paid_at ?? at),
  updated_at: at,
  version: changed.version + 1
})

type Summary = typeof InvoiceSummaryFacts.Type

/** The status is derived on every read, in the organization's time zone, so that it never becomes stale. */
export const statusOf = (invoice: Summary, today: Day): InvoiceStatus => {
  const { amount_credited, amount_paid, amount_refunded, due_date, issued_at, total, voided_at } = invoice
  if (voided_at !== null) return "void"
  if (issued_at === null) return "draft"
  if (BigDecimal.isPositive(amount_credited) && BigDecimal.equals(amount_credited, total)) return "credited"
  if (!BigDecimal.isPositive(netOf(invoice))) return "paid"
  if (due_date < today) return "overdue"
  const isPartlySettled =
    BigDecimal.isGreaterThan(amount_paid, amount_refunded) || BigDecimal.isPositive(amount_credited)
  return isPartlySettled ? "partially_paid" : "sent"
}

const paymentStatusOf = (invoice: Summary): PaymentStatus => {
  const net = netOf(invoice)
  if (BigDecimal.isNegative(net)) return "overpaid"
  if (BigDecimal.isZero(net)) return "paid"
  return BigDecimal.isGreaterThan(invoice.amount_paid, invoice.amount_refunded) ? "partially_paid" : "unpaid"
}

export const complete = <Facts extends InvoiceFacts>(facts: Facts, today: Day) => ({
  ...completeSummary(facts, today),
  items: answeredLines(facts.items),
  discounts: answeredAdjustments(facts.discounts),
  charges: answeredAdjustments(facts.charges),
  ...invoiceDetails.answer(facts.details)
})

export const completeSummary = <Facts extends Summary>(facts: Facts, today: Day) => {
  const status = statusOf(facts, today)
  const is_overdue = status === "overdue"
  return {
    ...facts,
    invoice_number: facts.number,
    draft_reference: facts.number === null ? `DRAFT-${facts.id}` : null,
    status,
    payment_status: paymentStatusOf(facts),
    is_overdue,
    days_overdue: is_overdue ? daysBetween(facts.due_date, today) : 0,
    balance_due: status === "void" ? zero : balanceOf(facts),
    refundable_amount: overpaidOf(facts)
  }
}

export const MarkSent = Schema.Struct({
  sent_at: described(
    nullable(MomentOrDay),
    "Time at which the invoice was sent (RFC 3339, or a day, which starts at midnight in the time zone of the organization). Default: now."
  ),
  sent_method: described(nullable(SentMethod), "How the invoice was sent. Default: `manual`.")
}).annotate({ identifier: "MarkInvoiceSent", description: "How and when an invoice was sent outside of this service." })
export type MarkSent = typeof MarkSent.Type

/** A status, or `unpaid` for every issued invoice with a balance due. */
export const StatusFilter = Schema.Literals([...InvoiceStatus.literals, "unpaid"])
export type StatusFilter = typeof StatusFilter.Type

export const invoicesSorting = {
  columns: ["issue_date", "due_date", "id", "updated_at"],
  usual: "-issue_date"
} as const

export const invoicesQuery = {
  ...deletableQuery(invoicesSorting),
  ...externalIdFilter,
  status: described(
    Schema.optionalKey(StatusFilter),
    "Only invoices in this status; `unpaid` means every issued invoice with a balance due."
  ),
  date_from: described(Schema.optionalKey(Day), "Only records dated on this day or later."),
  date_to: described(Schema.optionalKey(Day), "Only records dated on this day or earlier."),
  due_from: described(Schema.optionalKey(Day), "Only invoices with a balance that is due on this day or later."),
  due_to: described(Schema.optionalKey(Day), "Only invoices with a balance that is due on this day or earlier."),
  customer_id: described(Schema.optionalKey(inText(CustomerId)), "Only records of this customer."),
  ...searchFilter("a number, a payment reference or a `purchase_order`")
}
export type InvoicesQuery = Schema.Struct.Type<typeof invoicesQuery> & CursorRequest

/** An open invoice is issued but not yet settled. */
export const isOpen = ({ status }: Invoice): boolean => !["draft", "paid", "credited", "void"].includes(status)
