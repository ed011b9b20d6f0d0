import { Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ContactId, CreditNoteId, CustomerId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { deletableQuery, type Walking } from "../../kernel/Listing.ts"
import { Amount, Decimal, PositiveAmount } from "../../kernel/Money.ts"
import { nullable, Text } from "../../kernel/Text.ts"
import { Delivery, recipients_max, SendBody } from "../sending/Send.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { AnsweredCreditNoteItem, answeredItems, ChangedItems, CreditedItems, CreditNoteItem } from "./CreditNoteItem.ts"
import { creditNoteDetails } from "../details/Details.ts"

/** As long as a line's description, which it becomes. */
const reason_characters_max = 2_000

const CreditNoteStatus = Schema.Literals(["draft", "sent"])

export const creditNotesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-id" } as const

/** What a list is asked for. */
export const creditNotesQuery = {
  ...deletableQuery(creditNotesSorting),
  ...externalIdFilter,
  status: Schema.optionalKey(CreditNoteStatus),
  /** A draft has no date yet. */
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  customer_id: Schema.optionalKey(inText(CustomerId)),
  invoice_id: Schema.optionalKey(inText(InvoiceId))
}
export type CreditNotesQuery = Schema.Struct.Type<typeof creditNotesQuery> & Walking

/** `full` takes all that was left of the invoice. */
export const CreditType = Schema.Literals(["full", "partial"])
export type CreditType = typeof CreditType.Type

/** The invoice it corrects. */
const OriginalInvoice = Schema.Struct({
  id: InvoiceId,
  number: Schema.String,
  issue_date: Day,
  due_date: Day,
  currency: CurrencyCode,
  total: Amount
})

/** What is stored: the row of `credit_notes` with the customer's name and the original invoice. */
export const CreditNoteFacts = Schema.Struct({
  id: CreditNoteId,
  /** On a draft: taken for a sending that is under way or reached nobody, and not yet the note's. */
  number: Schema.NullOr(Schema.String),
  sequence: Schema.NullOr(Schema.Int),
  invoice_id: InvoiceId,
  customer_id: CustomerId,
  customer: NamedCustomer,
  original_invoice: OriginalInvoice,
  issue_date: Schema.NullOr(Day),
  currency: CurrencyCode,
  /** The invoice's own, so that both count the same in the organization's currency. */
  exchange_rate: Schema.NullOr(Decimal),
  reason: Schema.String,
  credit_type: CreditType,
  /** UNTDID 1001. */
  credit_note_type_code: Schema.NullOr(Schema.String),
  items: Schema.Array(CreditNoteItem),
  subtotal: Amount,
  tax_total: Amount,
  rounding_adjustment: Amount,
  total: Amount,
  tax_breakdown: Schema.Array(TaxGroup),
  /** What of it the invoice's balance did not take up when it was sent: owed to the customer. */
  refundable_amount: Amount,
  /** The optional fields without those that are unset; answered one by one. */
  details: creditNoteDetails.stored,
  ...clientData,
  sent_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type CreditNoteFacts = typeof CreditNoteFacts.Type

const derived = {
  /** Another name of `number`. */
  credit_note_number: Schema.NullOr(Schema.String),
  draft_reference: Schema.NullOr(Schema.String),
  status: CreditNoteStatus,
  /** Gross, as it was asked for: another name of `total`. */
  amount: Amount
}

/** A credit note as every endpoint answers it; contract section 7. */
export const CreditNote = Schema.Struct({
  ...Struct.omit(CreditNoteFacts.fields, ["sequence", "details"]),
  ...derived,
  items: Schema.Array(AnsweredCreditNoteItem),
  ...creditNoteDetails.answered
})
export type CreditNote = typeof CreditNote.Type

const not_listed = ["items", "tax_breakdown", "details"] as const

/** A list has neither lines nor details: they are read with the note itself. */
export const CreditNoteSummaryFacts = Schema.Struct(Struct.omit(CreditNoteFacts.fields, not_listed))
export const CreditNoteSummary = Schema.Struct({
  ...Struct.omit(CreditNoteSummaryFacts.fields, ["sequence"]),
  ...derived
})
export type CreditNoteSummary = typeof CreditNoteSummary.Type

/** What stored facts mean: number and date are the note's once it is sent. No answer has a place for `sequence`. */
export const complete = <Facts extends CreditNoteFacts>(facts: Facts) => ({
  ...completeSummary(facts),
  items: answeredItems(facts.items),
  ...creditNoteDetails.answer(facts.details)
})

/** The same for a note as lists show it. */
export const completeSummary = <Facts extends typeof CreditNoteSummaryFacts.Type>(facts: Facts) => {
  const draft = facts.sent_at === null
  const number = draft ? null : facts.number
  return {
    ...facts,
    number,
    credit_note_number: number,
    issue_date: draft ? null : facts.issue_date,
    draft_reference: draft ? `DRAFT-${facts.id}` : null,
    status: draft ? ("draft" as const) : ("sent" as const),
    amount: facts.total
  }
}

const fields = {
  reason: Text(reason_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
  credit_type: nullable(CreditType.annotate({ message: "must be full or partial." })),
  credit_note_type_code: nullable(Schema.String),
  /** An absent field is that of the invoice, null leaves it out. */
  ...creditNoteDetails.input,
  ...clientDataInput
}

const amount_description =
  "Includes taxes; split over the invoice's taxes, and the lines of each, in proportion to what is left of them."
const items_description =
  "Lines of the invoice to credit, in place of an amount. Discounts on the invoice lower its lines; its charges go along " +
  "with the lines of the same tax, in proportion, so that crediting all lines credits the invoice."

/** A credit note takes either an amount or lines, of what earlier notes, drafts included, have left. */
export const CreditNoteDraft = Schema.Struct({
  invoice_id: InvoiceId,
  amount: nullable(PositiveAmount.annotate({ description: amount_description })),
  items: nullable(CreditedItems.annotate({ description: items_description })),
  ...fields
}).check(
  Schema.makeFilter(({ amount, items }) => {
    const isByAmount = (amount ?? null) !== null
    if ((items ?? null) === null) {
      return isByAmount ? undefined : { path: ["amount"], issue: "is required when items is absent." }
    }
    return isByAmount ? { path: ["items"], issue: "may not be given beside an amount." } : undefined
  })
)
export type CreditNoteDraft = typeof CreditNoteDraft.Type

/** What a PUT may send back, but not change. */
export const fixed_fields = ["invoice_id", "number", "credit_note_number", "status"] as const

/**
 * Changes of a draft. A new `amount` or new `items` are taken of the invoice in place of what the note took before; items
 * that are answered with an `id` may be sent back with it.
 */
export const CreditNoteChanges = Schema.Struct({
  ...fields,
  reason: Schema.optionalKey(fields.reason),
  amount: Schema.optionalKey(PositiveAmount),
  items: Schema.optionalKey(ChangedItems),
  ...Struct.map(Struct.pick(CreditNote.fields, fixed_fields), Schema.optionalKey)
})
export type CreditNoteChanges = typeof CreditNoteChanges.Type

/** Who gets it: `recipients`, and the contacts named; the customer when there are neither. */
export const SendCreditNote = Schema.Struct({
  ...SendBody.fields,
  contact_ids: nullable(
    Schema.Array(ContactId).check(
      Schema.isMaxLength(recipients_max, { message: `may not have more than ${recipients_max} entries.` })
    )
  )
})
export type SendCreditNote = typeof SendCreditNote.Type

export const SentCreditNote = Schema.Struct({ ...CreditNote.fields, deliveries: Schema.Array(Delivery) })
export type SentCreditNote = typeof SentCreditNote.Type

export const default_type_code = "381"

/** Spec, Credit note: UNTDID 1001 codes by route. */
const type_codes = {
  french: ["261", "262", default_type_code, "396", "502", "503"],
  other: ["81", "83", default_type_code, "396", "532"]
} as const

/** The codes a note may bear between these two countries. */
export const typeCodesOf = (seller: string, customer: string | null): ReadonlyArray<string> =>
  seller === "FR" && customer === "FR" ? type_codes.french : type_codes.other
