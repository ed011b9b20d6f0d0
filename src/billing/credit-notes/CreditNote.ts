import { Schema, Struct } from "effect"
import { NamedCustomer } from "../../customers/Customer.ts"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { isFrench } from "../../kernel/Country.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ContactId, CreditNoteId, CustomerId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, Decimal, PositiveAmount } from "../../kernel/Money.ts"
import { nullable, nullableCode, Text, unlessNull } from "../../kernel/Text.ts"
import { addresses_form, Delivery, recipients_max, SendBody } from "../sending/Send.ts"
import { TaxGroup } from "../lines/Tax.ts"
import { AnsweredCreditNoteItem, answeredItems, ChangedItems, CreditedItems, CreditNoteItem } from "./CreditNoteItem.ts"
import { creditNoteDetails } from "../details/Details.ts"
import { searchFilter } from "../search/SearchFilter.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"

/** A line's description has the same maximum, because a reason becomes the description of a line. */
const reason_characters_max = 2_000

const CreditNoteStatus = Schema.Literals(["draft", "sent"])

export const creditNotesSorting = { columns: ["issue_date", "id", "updated_at"], usual: "-id" } as const

export const creditNotesQuery = {
  ...deletableQuery(creditNotesSorting),
  ...externalIdFilter,
  status: described(Schema.optionalKey(CreditNoteStatus), "Only credit notes in this status."),
  date_from: described(
    Schema.optionalKey(Day),
    "Only records dated on this day or later. Drafts of credit notes have no date yet."
  ),
  date_to: described(
    Schema.optionalKey(Day),
    "Only records dated on this day or earlier. Drafts of credit notes have no date yet."
  ),
  customer_id: described(Schema.optionalKey(inText(CustomerId)), "Only records of this customer."),
  invoice_id: described(Schema.optionalKey(inText(InvoiceId)), "Only records of this invoice."),
  ...searchFilter("a number or a `purchase_order`")
}
export type CreditNotesQuery = Schema.Struct.Type<typeof creditNotesQuery> & CursorRequest

export const CreditType = Schema.Literals(["full", "partial"]).annotate({
  identifier: "CreditType",
  description: "`full`: the note credits everything that is left of the invoice; `partial`: only a part."
})
export type CreditType = typeof CreditType.Type

const OriginalInvoice = Schema.Struct({
  id: InvoiceId,
  number: described(Schema.String, "Number of the invoice."),
  issue_date: described(Day, "Day on which the invoice was issued."),
  due_date: described(Day, "Last day to pay the invoice."),
  currency: described(CurrencyCode, "Currency of the invoice (ISO 4217)."),
  total: described(Amount, "Total of the invoice with taxes.")
})

export const CreditNoteFacts = Schema.Struct({
  id: CreditNoteId,
  // A draft has a number only during a send, or after a send that crashed or could not return the number to its series.
  number: described(Schema.NullOr(Schema.String), "Number of the credit note; null until it is sent.", "CN-2026-0003"),
  sequence: Schema.NullOr(Schema.Int),
  invoice_id: InvoiceId,
  customer_id: CustomerId,
  customer: NamedCustomer,
  original_invoice: described(OriginalInvoice, "Invoice that the note corrects."),
  issue_date: described(
    Schema.NullOr(Day),
    "Day on which the note was sent, in the time zone of the organization; null for a draft."
  ),
  currency: described(
    CurrencyCode,
    "Currency of all amounts of the note, which is that of the invoice (ISO 4217).",
    "EUR"
  ),
  exchange_rate: described(
    Schema.NullOr(Decimal),
    "Units of the organization's currency for one unit of the note's, as on the invoice; null if none was given."
  ),
  reason: described(Schema.String, "Why the invoice is corrected."),
  credit_type: CreditType,
  credit_note_type_code: described(
    Schema.NullOr(Schema.String),
    "Type of the note as UNTDID 1001 code; null until it is known.",
    "381"
  ),
  items: Schema.Array(CreditNoteItem),
  subtotal: described(Amount, "Amount without taxes."),
  tax_total: described(Amount, "Sum of all taxes."),
  rounding_adjustment: described(
    Amount,
    "Difference between the credited amount and the sum of net and taxes, which `total` includes."
  ),
  total: described(Amount, "Credited amount with taxes."),
  tax_breakdown: described(Schema.Array(TaxGroup), "Taxes by rate."),
  refundable_amount: described(
    Amount,
    "Part of the total that exceeded the balance of the invoice when the note was sent, and is owed to the customer."
  ),
  /** The optional fields that are set. Responses contain all of them, with null for the unset ones. */
  details: creditNoteDetails.stored,
  ...clientData,
  sent_at: described(Schema.NullOr(Timestamp), "Time at which the note was sent; null for a draft."),
  ...recordFields
})
export type CreditNoteFacts = typeof CreditNoteFacts.Type

const derived = {
  credit_note_number: described(Schema.NullOr(Schema.String), "The same as `number`."),
  draft_reference: described(Schema.NullOr(Schema.String), "Name of a draft; null once it is sent.", "DRAFT-17"),
  status: described(CreditNoteStatus, "`draft`: may still change; `sent`: final, and the invoice is credited."),
  amount: described(Amount, "Credited amount with taxes; the same as `total`.")
}

export const CreditNote = Schema.Struct({
  ...Struct.omit(CreditNoteFacts.fields, ["sequence", "details"]),
  ...derived,
  items: described(Schema.Array(AnsweredCreditNoteItem), "Lines of the note."),
  ...creditNoteDetails.answered
}).annotate({ identifier: "CreditNote", description: "A document that credits an invoice or a part of it." })
export type CreditNote = typeof CreditNote.Type

const not_listed = ["items", "tax_breakdown", "details"] as const

export const CreditNoteSummaryFacts = Schema.Struct(Struct.omit(CreditNoteFacts.fields, not_listed))
export const CreditNoteSummary = Schema.Struct({
  ...Struct.omit(CreditNoteSummaryFacts.fields, ["sequence"]),
  ...derived
}).annotate({ identifier: "CreditNoteSummary", description: "A credit note in a list, without its lines and details." })
export type CreditNoteSummary = typeof CreditNoteSummary.Type

/** Responses show number and issue date only once the note is sent, and no response schema contains `sequence`. */
export const complete = <Facts extends CreditNoteFacts>(facts: Facts) => ({
  ...completeSummary(facts),
  items: answeredItems(facts.items),
  ...creditNoteDetails.answer(facts.details)
})

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
  reason: described(
    Text(reason_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
    "Why the invoice is corrected."
  ),
  credit_type: described(
    nullable(CreditType.annotate({ message: "must be full or partial." })),
    "Whether everything that is left of the invoice is credited, or only a part."
  ),
  credit_note_type_code: described(
    nullable(Schema.String),
    "Type of the note as UNTDID 1001 code. Between French parties one of 261, 262, 381, 396, 502, 503; otherwise 81, 83, 381, 396, 532. Default: 381.",
    "381"
  ),
  /** An absent field takes the invoice's value on creation and stays unchanged in an update; null unsets the field. */
  ...creditNoteDetails.input,
  ...clientDataInput
}

const amount_description =
  "Amount with taxes to credit, in the currency of the invoice, split over the invoice's taxes, and the lines of each, in proportion to what is left of them."
const items_description =
  "Lines of the invoice to credit, in place of an amount. Discounts on the invoice lower its lines; its charges go along " +
  "with the lines of the same tax, in proportion, so that crediting all lines credits the invoice."

/** Credits either an amount or lines of the invoice, and at most what earlier notes, including drafts, have left. */
export const CreditNoteDraft = Schema.Struct({
  invoice_id: described(InvoiceId, "Invoice to credit."),
  amount: described(nullable(PositiveAmount), amount_description),
  currency: described(
    nullableCode(CurrencyCode),
    "Currency of the amounts, which must be that of the invoice (ISO 4217). Default: that of the invoice.",
    "EUR"
  ),
  items: described(nullable(CreditedItems), items_description),
  ...fields
})
  .annotate({ description: "A credit note to be created as a draft, by `amount` or by `items`." })
  .check(
    Schema.makeFilter(({ amount, items }) => {
      const isByAmount = (amount ?? null) !== null
      if ((items ?? null) === null) {
        return isByAmount ? undefined : { path: ["amount"], issue: "is required when items is absent." }
      }
      return isByAmount ? { path: ["items"], issue: "may not be given together with an amount." } : undefined
    })
  )
  .annotate({ identifier: "CreditNoteDraft" })
export type CreditNoteDraft = typeof CreditNoteDraft.Type

/** Fields that a PUT may send back unchanged but not change. */
export const fixed_fields = ["invoice_id", "currency", "number", "credit_note_number", "status"] as const

export const CreditNoteChanges = Schema.Struct({
  ...fields,
  reason: Schema.optionalKey(fields.reason),
  amount: described(
    unlessNull(PositiveAmount),
    "Amount with taxes to credit, in the currency of the invoice; it replaces what the note credited before."
  ),
  items: described(
    unlessNull(ChangedItems),
    "Lines of the invoice to credit; they replace what the note credited before."
  ),
  ...Struct.map(Struct.pick(CreditNote.fields, fixed_fields), Schema.optionalKey),
  currency: described(unlessNull(CurrencyCode), "Currency of the amounts, which cannot be changed.")
}).annotate({
  identifier: "CreditNoteChanges",
  description: "The fields of a draft to change; others are kept."
})
export type CreditNoteChanges = typeof CreditNoteChanges.Type

/** The recipients of the note: `recipients` and the named contacts, or the customer when there are none. */
export const SendCreditNote = Schema.Struct({
  ...SendBody.fields,
  recipients: described(
    SendBody.fields.recipients,
    `${addresses_form} Without recipients and \`contact_ids\`: the email address of the customer, or else its primary contact.`
  ),
  contact_ids: described(
    nullable(
      Schema.Array(ContactId).check(
        Schema.isMaxLength(recipients_max, { message: `may not have more than ${recipients_max} entries.` })
      )
    ),
    "Contacts of the customer who get the note besides `recipients`, at most 50."
  )
}).annotate({
  identifier: "SendCreditNote",
  description: "The recipients of a credit note, and options for sending it."
})
export type SendCreditNote = typeof SendCreditNote.Type

export const SentCreditNote = Schema.Struct({
  ...CreditNote.fields,
  deliveries: described(Schema.Array(Delivery), "Result of the delivery to each recipient.")
}).annotate({
  identifier: "SentCreditNote",
  description: "The credit note that was sent, with the result of each delivery."
})
export type SentCreditNote = typeof SentCreditNote.Type

export const default_type_code = "381"

/** Type codes (UNTDID 1001) of notes between French parties, and of all others (rules/credit-notes.md, Type codes). */
const type_codes = {
  french: ["261", "262", default_type_code, "396", "502", "503"],
  other: ["81", "83", default_type_code, "396", "532"]
} as const

export const typeCodesOf = (seller: string, customer: string | null): ReadonlyArray<string> =>
  isFrench(seller) && isFrench(customer) ? type_codes.french : type_codes.other
