import { Schema, Struct } from "effect"
import { ExpenseDraft } from "../../expenses/Expense.ts"
import { Timestamp } from "../../kernel/Calendar.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId, ExpenseId, OrganizationId, ReceivedId } from "../../kernel/Ids.ts"
import { listingQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Line, nullable, Text } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { DocumentReference } from "../invoice/ReceivedParties.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"
import { described } from "../../kernel/Described.ts"
import { Reading } from "./reading/Reading.ts"

const Optional = Schema.NullOr(Schema.String)

const ReceivedStatus = Schema.Literals(["received", "accepted", "refused"])

export const Received = Schema.Struct({
  id: ReceivedId,
  status: described(
    ReceivedStatus,
    "`received`: not answered yet; `accepted`, `refused`: the answer that the supplier was sent."
  ),
  ...Reading.fields,
  provider: ProviderCode,
  environment: Environment,
  refusal_reason: described(Optional, "Reason that was sent to the supplier; null unless the document was refused."),
  expense_id: described(Schema.NullOr(ExpenseId), "Expense that was created from the document; null if none."),
  duplicate_of: described(
    Schema.NullOr(ReceivedId),
    "Earlier document with the same supplier, number, date and total, or with the same bytes if it cannot be read, such as one that also arrived over another network; null if there is none."
  ),
  content_type: described(Schema.String, "Media type of the bytes that arrived."),
  size_bytes: described(Schema.Int, "Size of the bytes that arrived, in bytes."),
  sha256: described(Schema.String, "SHA-256 of the bytes that arrived, in lower-case hexadecimal."),
  received_at: described(Timestamp, "Time of arrival."),
  answered_at: described(Schema.NullOr(Timestamp), "Time of the answer to the supplier; null before it."),
  updated_at: described(Timestamp, "Time of the last change.")
}).annotate({
  identifier: "ReceivedEinvoice",
  description:
    "An invoice or a credit note that a supplier sent over an e-invoicing network, with its content. Fields that cannot be read are null."
})
export type Received = typeof Received.Type

export const ReceivedFacts = Schema.Struct({
  ...Received.fields,
  organization_id: OrganizationId,
  transmission_id: Schema.String,
  object_id: ArchiveObjectId,
  json_object_id: ArchiveObjectId,
  /** Null if the document lacks a field that an answer repeats, or arrived before these fields were kept. */
  document_reference: Schema.NullOr(DocumentReference)
})
export type ReceivedFacts = typeof ReceivedFacts.Type

export const shown = (facts: ReceivedFacts): Received => Struct.pick(facts, Struct.keys(Received.fields))

export const receivedEvent = recordEvent("received_document", Received)

export const receivedSorting = { columns: ["id", "updated_at"], usual: "-id" } as const

export const receivedQuery = {
  ...listingQuery(receivedSorting),
  status: described(Schema.optionalKey(ReceivedStatus), "Only documents with this status."),
  document_type: described(Schema.optionalKey(DocumentType), "Only documents of this type.")
}
export type ReceivedQuery = Schema.Struct.Type<typeof receivedQuery> & CursorRequest

const notBlank = Schema.isPattern(/\S/, { message: "may not be empty." })

const reason_characters_max = 500
const category_characters_max = 64

export const Refusal = Schema.Struct({
  reason: described(
    Text(reason_characters_max).check(notBlank),
    "Why the document is refused, for the supplier; at most 500 characters."
  )
}).annotate({ identifier: "ReceivedRefusal", description: "The refusal of a received document." })

/** The fields of a new expense that a received document does not state. */
export const ExpenseChoice = Schema.Struct({
  category: described(
    nullable(Text(category_characters_max).check(notBlank)),
    "Category of the expense, at most 64 characters. Default: `other`."
  ),
  description: described(nullable(Line.check(notBlank)), "Description of the expense. Default: that of the document."),
  ...Struct.pick(ExpenseDraft.fields, ["is_vat_deductible", "vat_deductible_percentage"])
}).annotate({
  identifier: "ReceivedExpenseDraft",
  description: "The fields of the expense that documents do not state."
})
export type ExpenseChoice = typeof ExpenseChoice.Type
