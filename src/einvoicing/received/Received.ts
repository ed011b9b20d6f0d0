import { Schema, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId, ExpenseId, OrganizationId, ReceivedId } from "../../kernel/Ids.ts"
import { listingQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"
import { Line, nullable, Text } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"

const ReceivedStatus = Schema.Literals(["received", "accepted", "refused"])

const Optional = Schema.NullOr(Schema.String)

/** The seller, as the document names it. */
const Supplier = Schema.Struct({
  name: Optional,
  tax_number: Optional,
  country: Optional,
  iban: Optional,
  identifier_scheme: Optional,
  identifier_value: Optional
})

/** What the document says; the fields of a document that cannot be read are null. */
export const Reading = Schema.Struct({
  document_type: Schema.NullOr(DocumentType),
  syntax: Schema.NullOr(Schema.Literals(["ubl", "cii"])),
  number: Optional,
  issue_date: Schema.NullOr(Day),
  due_date: Schema.NullOr(Day),
  currency: Schema.NullOr(CurrencyCode),
  /** The amount including taxes. A credit note states it as a positive amount. */
  total: Schema.NullOr(Amount),
  tax_total: Schema.NullOr(Amount),
  tax_rates: Schema.Array(Schema.Struct({ rate: Decimal, taxable_amount: Amount, tax_amount: Amount })),
  /** The names of the lines. */
  description: Optional,
  payment_method: Optional,
  supplier: Supplier,
  /** The reason why the document cannot become an expense; null for a sound one. */
  problem: Optional
})
export type Reading = typeof Reading.Type

/** A document that arrived over a network, as all endpoints show it. */
export const Received = Schema.Struct({
  id: ReceivedId,
  status: ReceivedStatus,
  ...Reading.fields,
  provider: ProviderCode,
  environment: Environment,
  refusal_reason: Optional,
  /** The expense that the document became. */
  expense_id: Schema.NullOr(ExpenseId),
  content_type: Schema.String,
  size_bytes: Schema.Int,
  /** SHA-256 of the bytes that arrived, in lower-case hexadecimal. */
  sha256: Schema.String,
  received_at: Timestamp,
  answered_at: Schema.NullOr(Timestamp),
  updated_at: Timestamp
})
export type Received = typeof Received.Type

/** A row of the table `received_documents`. */
export const ReceivedFacts = Schema.Struct({
  ...Received.fields,
  organization_id: OrganizationId,
  transmission_id: Schema.String,
  object_id: ArchiveObjectId,
  json_object_id: ArchiveObjectId
})
export type ReceivedFacts = typeof ReceivedFacts.Type

export const shown = (facts: ReceivedFacts): Received => Struct.pick(facts, Struct.keys(Received.fields))

export const receivedEvent = recordEvent("received_document", Received)

export const receivedSorting = { columns: ["id", "updated_at"], usual: "-id" } as const

export const receivedQuery = {
  ...listingQuery(receivedSorting),
  status: Schema.optionalKey(ReceivedStatus),
  document_type: Schema.optionalKey(DocumentType)
}
export type ReceivedQuery = Schema.Struct.Type<typeof receivedQuery> & CursorRequest

const reason_characters_max = 500
const category_characters_max = 64

export const Refusal = Schema.Struct({
  reason: Text(reason_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." }))
})

/** The fields of the expense that no document states. */
export const ExpenseChoice = Schema.Struct({
  category: nullable(Text(category_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." }))),
  description: nullable(Line),
  is_vat_deductible: nullable(Schema.Boolean)
})
export type ExpenseChoice = typeof ExpenseChoice.Type
