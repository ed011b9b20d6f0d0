import { Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId, inText, QuoteId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, NonNegativeAmount } from "../../kernel/Money.ts"
import { Notes, nullable } from "../../kernel/Text.ts"
import { Delivery } from "../sending/Send.ts"
import { AnsweredLineItem, answeredLines, LineItem, LineItemInputs } from "../lines/LineItem.ts"
import { Adjustment, AdjustmentInputs, AnsweredAdjustment, answeredAdjustments } from "../lines/Adjustment.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { quoteDetails } from "../details/Details.ts"

const StoredStatus = Schema.Literals(["draft", "sent", "accepted", "rejected", "converted"])

export const QuoteStatus = Schema.Literals([...StoredStatus.literals, "expired"]).annotate({
  identifier: "QuoteStatus"
})
export type QuoteStatus = typeof QuoteStatus.Type

export const quotesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-issue_date" } as const

/** The query parameters of the quote list. */
export const quotesQuery = {
  ...deletableQuery(quotesSorting),
  ...externalIdFilter,
  status: Schema.optionalKey(QuoteStatus),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  customer_id: Schema.optionalKey(inText(CustomerId))
}
export type QuotesQuery = Schema.Struct.Type<typeof quotesQuery> & CursorRequest

/** The stored row of `quotes` with its customer's name. Expiry is derived from the row and today's date. */
export const QuoteFacts = Schema.Struct({
  id: QuoteId,
  number: Schema.NullOr(Schema.String),
  status: StoredStatus,
  customer_id: CustomerId,
  customer: NamedCustomer,
  issue_date: Day,
  valid_until: Day,
  currency: CurrencyCode,
  items: Schema.Array(LineItem),
  discounts: Schema.Array(Adjustment),
  charges: Schema.Array(Adjustment),
  subtotal: Amount,
  discount_total: Amount,
  charge_total: Amount,
  tax_total: Amount,
  total: Amount,
  /** The prepaid amount of the invoice that the quote is converted to. */
  prepaid_amount: Amount,
  tax_breakdown: Schema.Array(TaxGroup),
  notes: Schema.NullOr(Schema.String),
  terms: Schema.NullOr(Schema.String),
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: quoteDetails.stored,
  ...clientData,
  sent_at: Schema.NullOr(Timestamp),
  accepted_at: Schema.NullOr(Timestamp),
  rejected_at: Schema.NullOr(Timestamp),
  rejection_reason: Schema.NullOr(Schema.String),
  converted_at: Schema.NullOr(Timestamp),
  /** The invoice that the quote was converted to. */
  invoice_id: Schema.NullOr(InvoiceId),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type QuoteFacts = typeof QuoteFacts.Type

const derived = {
  /** An alias of `number`. */
  quote_number: Schema.NullOr(Schema.String),
  draft_reference: Schema.NullOr(Schema.String),
  status: QuoteStatus,
  warnings: Schema.optionalKey(Schema.Array(Schema.Literal("expired")))
}

/** The representation of a quote in every response; contract section 6. */
export const Quote = Schema.Struct({
  ...Struct.omit(QuoteFacts.fields, ["details"]),
  ...derived,
  items: Schema.Array(AnsweredLineItem),
  discounts: Schema.Array(AnsweredAdjustment),
  charges: Schema.Array(AnsweredAdjustment),
  ...quoteDetails.answered
}).annotate({ identifier: "Quote" })
export type Quote = typeof Quote.Type

/** The sent quote, with the delivery result of each recipient. */
export const SentQuote = Schema.Struct({ ...Quote.fields, deliveries: Schema.Array(Delivery) }).annotate({
  identifier: "SentQuote"
})
export type SentQuote = typeof SentQuote.Type

/** Lists omit lines and details: a client reads them with the quote itself. */
export const QuoteSummaryFacts = Schema.Struct(
  Struct.omit(QuoteFacts.fields, ["items", "discounts", "charges", "tax_breakdown", "details"])
)
export const QuoteSummary = Schema.Struct({ ...QuoteSummaryFacts.fields, ...derived }).annotate({
  identifier: "QuoteSummary"
})
export type QuoteSummary = typeof QuoteSummary.Type

type Summary = typeof QuoteSummaryFacts.Type

/** The status is derived on every read, in the organization's time zone, so it never becomes stale. */
const statusOf = ({ status, valid_until }: Summary, today: Day): QuoteStatus =>
  status === "sent" && valid_until < today ? "expired" : status

/** Adds the derived fields, which depend on today's date, to the stored facts. */
export const complete = (facts: QuoteFacts, today: Day) => ({
  ...completeSummary(facts, today),
  items: answeredLines(facts.items),
  discounts: answeredAdjustments(facts.discounts),
  charges: answeredAdjustments(facts.charges),
  ...quoteDetails.answer(facts.details)
})

/** Adds the derived fields to a quote in a list. */
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
  customer_id: CustomerId,
  issue_date: Day,
  valid_until: Day,
  currency: CurrencyCode,
  notes: nullable(Notes),
  terms: nullable(Notes),
  ...quoteDetails.input,
  discounts: nullable(AdjustmentInputs),
  charges: nullable(AdjustmentInputs),
  prepaid_amount: nullable(NonNegativeAmount),
  ...clientDataInput,
  items: LineItemInputs
}

const validAfterIssue = Schema.makeFilter<{ readonly issue_date?: Day; readonly valid_until?: Day }>((dates) =>
  dates.valid_until !== undefined && dates.issue_date !== undefined && dates.valid_until < dates.issue_date
    ? { path: ["valid_until"], issue: "must not be before the issue date." }
    : undefined
)

export const QuoteDraft = Schema.Struct(fields).check(validAfterIssue).annotate({ identifier: "QuoteDraft" })
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
  .check(validAfterIssue)
  .annotate({ identifier: "QuoteChanges" })
export type QuoteChanges = typeof QuoteChanges.Type

export const MarkAccepted = Schema.Struct({ accepted_at: nullable(Moment) }).annotate({
  identifier: "MarkQuoteAccepted"
})
export type MarkAccepted = typeof MarkAccepted.Type

export const MarkRejected = Schema.Struct({
  rejected_at: nullable(Moment),
  rejection_reason: nullable(Notes)
}).annotate({ identifier: "MarkQuoteRejected" })
export type MarkRejected = typeof MarkRejected.Type
