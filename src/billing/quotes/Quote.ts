import { Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, MomentOrDay, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { compiled } from "../../kernel/Compiled.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId, inText, QuoteId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, NonNegativeAmount } from "../../kernel/Money.ts"
import { Notes, nullable } from "../../kernel/Text.ts"
import { searchFilter } from "../search/SearchFilter.ts"
import { Delivery } from "../sending/Send.ts"
import { AnsweredLineItem, answeredLines, LineItem, LineItemInputs } from "../lines/LineItem.ts"
import { Adjustment, AdjustmentInputs, AnsweredAdjustment, answeredAdjustments } from "../lines/Adjustment.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { quoteDetails } from "../details/Details.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"

const StoredStatus = Schema.Literals(["draft", "sent", "accepted", "rejected", "converted"])

export const QuoteStatus = Schema.Literals([...StoredStatus.literals, "expired"]).annotate({
  identifier: "QuoteStatus",
  description:
    "`draft`: not sent; `sent`: waits for the customer; `accepted`; `rejected`; `converted`: became an invoice; `expired`: sent, and its last day has passed."
})
export type QuoteStatus = typeof QuoteStatus.Type

export const quotesSorting = {
  columns: ["issue_date", "valid_until", "id", "updated_at"],
  usual: "-issue_date"
} as const

export const quotesQuery = {
  ...deletableQuery(quotesSorting),
  ...externalIdFilter,
  status: described(Schema.optionalKey(QuoteStatus), "Only quotes in this status."),
  date_from: described(Schema.optionalKey(Day), "Only records dated on this day or later."),
  date_to: described(Schema.optionalKey(Day), "Only records dated on this day or earlier."),
  customer_id: described(Schema.optionalKey(inText(CustomerId)), "Only records of this customer."),
  ...searchFilter("a number or a `purchase_order`")
}
export type QuotesQuery = Schema.Struct.Type<typeof quotesQuery> & CursorRequest

export const QuoteFacts = Schema.Struct({
  id: QuoteId,
  number: described(Schema.NullOr(Schema.String), "Number of the quote; null until it is sent.", "QUO-2026-0007"),
  status: StoredStatus,
  customer_id: CustomerId,
  customer: NamedCustomer,
  issue_date: described(Day, "Day on which the quote is issued, in the time zone of the organization.", "2026-03-01"),
  valid_until: described(Day, "Last day on which the customer may accept.", "2026-03-31"),
  currency: described(CurrencyCode, "Currency of all amounts of the quote (ISO 4217).", "EUR"),
  items: Schema.Array(LineItem),
  discounts: Schema.Array(Adjustment),
  charges: Schema.Array(Adjustment),
  subtotal: described(Amount, "Sum of the lines, less `discounts`, plus `charges`, without taxes."),
  discount_total: described(
    Amount,
    "Sum of the discounts on the quote and on its lines, already deducted from `subtotal`."
  ),
  charge_total: described(Amount, "Sum of `charges`, which `subtotal` includes."),
  tax_total: described(Amount, "Sum of all taxes."),
  total: described(Amount, "Total with taxes."),
  prepaid_amount: described(Amount, "Prepaid amount of the invoice that the quote is converted to."),
  tax_breakdown: described(Schema.Array(TaxGroup), "Taxes by rate."),
  notes: described(Schema.NullOr(Schema.String), "Text for the customer, printed on the quote; null if there is none."),
  terms: described(
    Schema.NullOr(Schema.String),
    "Terms of payment or sale, printed on the quote; null if there are none."
  ),
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: quoteDetails.stored,
  ...clientData,
  sent_at: described(Schema.NullOr(Timestamp), "Time at which the quote was sent; null if it was not."),
  accepted_at: described(Schema.NullOr(Timestamp), "Time at which the customer accepted; null if they did not."),
  rejected_at: described(
    Schema.NullOr(Timestamp),
    "Time at which the customer rejected the quote; null if they did not."
  ),
  rejection_reason: described(Schema.NullOr(Schema.String), "Why the customer rejected the quote; null if unknown."),
  converted_at: described(Schema.NullOr(Timestamp), "Time at which the quote became an invoice; null if it did not."),
  invoice_id: described(Schema.NullOr(InvoiceId), "Invoice that the quote was converted to; null if none."),
  ...recordFields
})
export type QuoteFacts = typeof QuoteFacts.Type

const derived = {
  quote_number: described(Schema.NullOr(Schema.String), "The same as `number`."),
  draft_reference: described(
    Schema.NullOr(Schema.String),
    "Name of a draft without a number; null once it has a number.",
    "DRAFT-17"
  ),
  status: QuoteStatus,
  warnings: described(
    Schema.optionalKey(Schema.Array(Schema.Literals(["expired", "tax_rate_archived"]))),
    "`expired`: the quote was accepted after its last day. `tax_rate_archived`: the duplicate keeps a tax rate that is " +
      "archived; if it no longer applies, change the lines. Absent if there is no warning."
  )
}

export const Quote = Schema.Struct({
  ...Struct.omit(QuoteFacts.fields, ["details"]),
  ...derived,
  items: described(Schema.Array(AnsweredLineItem), "Lines of the quote."),
  discounts: described(
    Schema.Array(AnsweredAdjustment),
    "Discounts on the whole quote; discounts on a line are part of the line."
  ),
  charges: described(Schema.Array(AnsweredAdjustment), "Charges on the whole quote."),
  ...quoteDetails.answered
}).annotate({ identifier: "Quote", description: "An offer to a customer." })
export type Quote = typeof Quote.Type

export const SentQuote = Schema.Struct({
  ...Quote.fields,
  deliveries: described(Schema.Array(Delivery), "Result of the delivery to each recipient.")
}).annotate({
  identifier: "SentQuote",
  description: "The quote that was sent, with the result of each delivery."
})
export type SentQuote = typeof SentQuote.Type

export const QuoteSummaryFacts = Schema.Struct(
  Struct.omit(QuoteFacts.fields, ["items", "discounts", "charges", "tax_breakdown", "details"])
)
export const QuoteSummary = Schema.Struct({ ...QuoteSummaryFacts.fields, ...derived }).annotate({
  identifier: "QuoteSummary",
  description: "A quote in a list, without its lines and details."
})
export type QuoteSummary = typeof QuoteSummary.Type

type Summary = typeof QuoteSummaryFacts.Type

/** The status is derived on every read, in the organization's time zone, so it never becomes stale. */
const statusOf = ({ status, valid_until }: Summary, today: Day): QuoteStatus =>
  status === "sent" && valid_until < today ? "expired" : status

export const complete = (facts: QuoteFacts, today: Day) => ({
  ...completeSummary(facts, today),
  items: answeredLines(facts.items),
  discounts: answeredAdjustments(facts.discounts),
  charges: answeredAdjustments(facts.charges),
  ...quoteDetails.answer(facts.details)
})

export const completeSummary = <Facts extends Summary>(
  facts: Facts,
  today: Day
): Omit<Facts, "status"> & Pick<Quote, "quote_number" | "draft_reference" | "status"> => ({
  ...facts,
  quote_number: facts.number,
  draft_reference: facts.number === null ? `DRAFT-${facts.id}` : null,
  status: statusOf(facts, today)
})

const fields = {
  customer_id: described(CustomerId, "Customer that the quote is for."),
  issue_date: described(Day, "Day on which the quote is issued.", "2026-03-01"),
  valid_until: described(Day, "Last day on which the customer may accept; not before the date of issue.", "2026-03-31"),
  currency: described(CurrencyCode, "Currency of all amounts of the quote (ISO 4217).", "EUR"),
  notes: described(nullable(Notes), "Text for the customer, printed on the quote; null for none."),
  terms: described(nullable(Notes), "Terms of payment or sale, printed on the quote; null for none."),
  ...quoteDetails.input,
  discounts: described(
    nullable(AdjustmentInputs),
    "Discounts on the whole quote, at most 20, in place of all stored ones; null for none."
  ),
  charges: described(
    nullable(AdjustmentInputs),
    "Charges on the whole quote, at most 20, in place of all stored ones; null for none."
  ),
  prepaid_amount: described(
    nullable(NonNegativeAmount),
    "Prepaid amount of the invoice that the quote is converted to, in the currency of the quote. Null means 0."
  ),
  ...clientDataInput,
  items: described(LineItemInputs, "Lines of the quote, 1 to 500; in a change they replace all lines.")
}

const validAfterIssue = Schema.makeFilter<{ readonly issue_date?: Day; readonly valid_until?: Day }>((dates) =>
  dates.valid_until !== undefined && dates.issue_date !== undefined && dates.valid_until < dates.issue_date
    ? { path: ["valid_until"], issue: "must not be before the issue date." }
    : undefined
)

export const QuoteDraft = compiled(
  Schema.Struct(fields)
    .annotate({ description: "A quote to be created as a draft." })
    .check(validAfterIssue)
    .annotate({ identifier: "QuoteDraft" })
)
export type QuoteDraft = typeof QuoteDraft.Type

const required = ["customer_id", "issue_date", "valid_until", "currency", "items"] as const

/** Fields that a PUT may send back unchanged but not change. */
export const fixed_fields = ["number", "quote_number", "status"] as const

/** `items` replaces the whole list. The number and the status are never set by a client. */
export const QuoteChanges = Schema.Struct({
  ...Struct.map(Struct.pick(fields, required), Schema.optionalKey),
  ...Struct.omit(fields, required),
  ...Struct.map(Struct.pick(Quote.fields, fixed_fields), Schema.optionalKey)
})
  .annotate({ description: "The fields of a quote to change; others are kept." })
  .check(validAfterIssue)
  .annotate({ identifier: "QuoteChanges" })
export type QuoteChanges = typeof QuoteChanges.Type

export const MarkAccepted = Schema.Struct({
  accepted_at: described(
    nullable(MomentOrDay),
    "Time at which the customer accepted (RFC 3339, or a day, which starts at midnight in the time zone of the organization). Default: now."
  )
}).annotate({
  identifier: "MarkQuoteAccepted",
  description: "When the customer accepted a quote."
})
export type MarkAccepted = typeof MarkAccepted.Type

export const MarkRejected = Schema.Struct({
  rejected_at: described(
    nullable(MomentOrDay),
    "Time at which the customer rejected the quote (RFC 3339, or a day, which starts at midnight in the time zone of the organization). Default: now."
  ),
  rejection_reason: described(nullable(Notes), "Why the customer rejected the quote; null if unknown.")
}).annotate({ identifier: "MarkQuoteRejected", description: "When and why the customer rejected a quote." })
export type MarkRejected = typeof MarkRejected.Type
