import { Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ContactId, CreditNoteId, CustomerId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, Decimal, PositiveAmount } from "../../kernel/Money.ts"
import { nullable, Text } from "../../kernel/Text.ts"
import { Delivery, recipients_max, SendBody } from "../sending/Send.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { AnsweredCreditNoteItem, answeredItems, ChangedItems, CreditedItems, CreditNoteItem } from "./CreditNoteItem.ts"
import { creditNoteDetails } from "../details/Details.ts"

/** Maximum length of a reason: as long as a line's description, because the reason becomes one. */
const reason_characters_max = 2_000

const CreditNoteStatus = Schema.Literals(["draft", "sent"])

export const creditNotesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-id" } as const

/** The query parameters of the credit note list. */
export const creditNotesQuery = {
  ...deletableQuery(creditNotesSorting),
  ...externalIdFilter,
  status: Schema.optionalKey(CreditNoteStatus),
  /** The date filters exclude drafts, which have no issue date yet. */
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  customer_id: Schema.optionalKey(inText(CustomerId)),
  invoice_id: Schema.optionalKey(inText(InvoiceId))
}
export type CreditNotesQuery = Schema.Struct.Type<typeof creditNotesQuery> & CursorRequest

/** A `full` note credits all that is left of the invoice. */
export const CreditType = Schema.Literals(["full", "partial"]).annotate({ identifier: "CreditType" })
export type CreditType = typeof CreditType.Type

/** The invoice that the note corrects. */
const OriginalInvoice = Schema.Struct({
  id: InvoiceId,
  number: Schema.String,
  issue_date: Day,
  due_date: Day,
  currency: CurrencyCode,
  total: Amount
})

/** The stored row of `credit_notes` with the customer's name and the original invoice. */
export const CreditNoteFacts = Schema.Struct({
  id: CreditNoteId,
  /**
   * The number. A draft has one only during a send, after a crashed send, or after a failed send that could not return
   * the number to its series.
   */
  number: Schema.NullOr(Schema.String),
  sequence: Schema.NullOr(Schema.Int),
  invoice_id: InvoiceId,
  customer_id: CustomerId,
  customer: NamedCustomer,
  original_invoice: OriginalInvoice,
  issue_date: Schema.NullOr(Day),
  currency: CurrencyCode,
  /** The exchange rate of the invoice, so that both have the same value in the organization's currency. */
  exchange_rate: Schema.NullOr(Decimal),
  reason: Schema.String,
  credit_type: CreditType,
  /** The UNTDID 1001 code of the note's type. */
  credit_note_type_code: Schema.NullOr(Schema.String),
  items: Schema.Array(CreditNoteItem),
  subtotal: Amount,
  tax_total: Amount,
  rounding_adjustment: Amount,
  total: Amount,
  tax_breakdown: Schema.Array(TaxGroup),
  /** The part of the total that exceeded the invoice's balance when the note was sent; owed to the customer. */
  refundable_amount: Amount,
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: creditNoteDetails.stored,
  ...clientData,
  sent_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type CreditNoteFacts = typeof CreditNoteFacts.Type

const derived = {
  /** An alias of `number`. */
  credit_note_number: Schema.NullOr(Schema.String),
  draft_reference: Schema.NullOr(Schema.String),
  status: CreditNoteStatus,
  /** The tax-inclusive amount; an alias of `total`. */
  amount: Amount
}

/** The representation of a credit note in every response; contract section 7. */
export const CreditNote = Schema.Struct({
  ...Struct.omit(CreditNoteFacts.fields, ["sequence", "details"]),
  ...derived,
  items: Schema.Array(AnsweredCreditNoteItem),
  ...creditNoteDetails.answered
}).annotate({ identifier: "CreditNote" })
export type CreditNote = typeof CreditNote.Type

const not_listed = ["items", "tax_breakdown", "details"] as const

/** Lists omit lines and details: a client reads them with the note itself. */
export const CreditNoteSummaryFacts = Schema.Struct(Struct.omit(CreditNoteFacts.fields, not_listed))
export const CreditNoteSummary = Schema.Struct({
  ...Struct.omit(CreditNoteSummaryFacts.fields, ["sequence"]),
  ...derived
}).annotate({ identifier: "CreditNoteSummary" })
export type CreditNoteSummary = typeof CreditNoteSummary.Type

/**
 * Adds the derived fields to the stored facts. Responses show number and issue date only once the note is sent, and no
 * response schema contains `sequence`.
 */
export const complete = <Facts extends CreditNoteFacts>(facts: Facts) => ({
  ...completeSummary(facts),
  items: answeredItems(facts.items),
  ...creditNoteDetails.answer(facts.details)
})

/** Adds the derived fields to a note in a list. */
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
  /** An absent field takes the invoice's value on creation and stays unchanged in an update; null unsets the field. */
  ...creditNoteDetails.input,
  ...clientDataInput
}

const amount_description =
  "Includes taxes; split over the invoice's taxes, and the lines of each, in proportion to what is left of them."
const items_description =
  "Lines of the invoice to credit, in place of an amount. Discounts on the invoice lower its lines; its charges go along " +
  "with the lines of the same tax, in proportion, so that crediting all lines credits the invoice."

/** A credit note credits either an amount or lines, of what earlier notes and drafts have left. */
export const CreditNoteDraft = Schema.Struct({
  invoice_id: InvoiceId,
  amount: nullable(PositiveAmount.annotate({ description: amount_description })),
  items: nullable(CreditedItems.annotate({ description: items_description })),
  ...fields
})
  .check(
    Schema.makeFilter(({ amount, items }) => {
      const isByAmount = (amount ?? null) !== null
      if ((items ?? null) === null) {
        return isByAmount ? undefined : { path: ["amount"], issue: "is required when items is absent." }
      }
      return isByAmount ? { path: ["items"], issue: "may not be given beside an amount." } : undefined
    })
  )
  .annotate({ identifier: "CreditNoteDraft" })
export type CreditNoteDraft = typeof CreditNoteDraft.Type

/** Fields that a PUT may send back unchanged but not change. */
export const fixed_fields = ["invoice_id", "number", "credit_note_number", "status"] as const

/**
 * The changes of a draft. A new `amount` or new `items` replace what the note credited before. Items of a response may
 * be sent back with their `id`.
 */
export const CreditNoteChanges = Schema.Struct({
  ...fields,
  reason: Schema.optionalKey(fields.reason),
  amount: Schema.optionalKey(PositiveAmount),
  items: Schema.optionalKey(ChangedItems),
  ...Struct.map(Struct.pick(CreditNote.fields, fixed_fields), Schema.optionalKey)
}).annotate({ identifier: "CreditNoteChanges" })
export type CreditNoteChanges = typeof CreditNoteChanges.Type

/** The recipients of the note: `recipients` and the named contacts, or the customer when there are none. */
export const SendCreditNote = Schema.Struct({
  ...SendBody.fields,
  contact_ids: nullable(
    Schema.Array(ContactId).check(
      Schema.isMaxLength(recipients_max, { message: `may not have more than ${recipients_max} entries.` })
    )
  )
}).annotate({ identifier: "SendCreditNote" })
export type SendCreditNote = typeof SendCreditNote.Type

export const SentCreditNote = Schema.Struct({ ...CreditNote.fields, deliveries: Schema.Array(Delivery) }).annotate({
  identifier: "SentCreditNote"
})
export type SentCreditNote = typeof SentCreditNote.Type

export const default_type_code = "381"

/** Spec, Credit note: UNTDID 1001 codes by route. */
const type_codes = {
  french: ["261", "262", default_type_code, "396", "502", "503"],
  other: ["81", "83", default_type_code, "396", "532"]
} as const

/** Returns the type codes allowed for the countries of the seller and the customer. */
export const typeCodesOf = (seller: string, customer: string | null): ReadonlyArray<string> =>
  seller === "FR" && customer === "FR" ? type_codes.french : type_codes.other
