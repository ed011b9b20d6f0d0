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
import { described } from "../../kernel/Described.ts"

const ReceivedStatus = Schema.Literals(["received", "accepted", "refused"])

const Optional = Schema.NullOr(Schema.String)

const Supplier = Schema.Struct({
  name: described(Optional, "Name of the supplier; null if the document does not state it."),
  tax_number: described(Optional, "VAT or tax number of the supplier; null if the document does not state it."),
  country: described(
    Optional,
    "ISO 3166-1 code of the country of the supplier; null if the document does not state it."
  ),
  iban: described(Optional, "IBAN for the payment to the supplier; null if the document does not state it."),
  identifier_scheme: described(
    Optional,
    "Scheme of the network identifier of the supplier; null if the document does not state it.",
    "0208"
  ),
  identifier_value: described(
    Optional,
    "Network identifier of the supplier; null if the document does not state it.",
    "0202239951"
  )
})

export const FileSignature = Schema.Struct({
  status: described(
    Schema.Literals(["valid", "invalid", "unchecked"]),
    "`valid`: the signature matches the content; `invalid`: the content or the signature was changed; `unchecked`: the form of the signature is not supported."
  ),
  signer: described(Optional, "Name in the certificate of the signer; null if the signature holds no certificate."),
  certificate_valid_until: described(
    Schema.NullOr(Timestamp),
    "Time at which the certificate of the signer expires; null if the signature holds no certificate."
  ),
  trust: described(
    Schema.Literals(["trusted", "untrusted", "unchecked"]),
    "`trusted`, `untrusted`: the result of the check against the configured trust list; `unchecked`: there is no such list."
  ),
  note: described(Optional, "What a person should know about the signature; null for a valid one of a trusted signer.")
})
export type FileSignature = typeof FileSignature.Type

/** The content of the document; the fields of a document that cannot be read are null. */
export const Reading = Schema.Struct({
  document_type: described(Schema.NullOr(DocumentType), "Type of the document; null if it cannot be read."),
  syntax: described(
    Schema.NullOr(Schema.Literals(["ubl", "cii", "fatturapa"])),
    "XML syntax of the document; null if it cannot be read."
  ),
  number: described(Optional, "Number that the supplier gave to the document; null if it cannot be read."),
  issue_date: described(Schema.NullOr(Day), "Day on which the document was issued; null if it cannot be read."),
  due_date: described(Schema.NullOr(Day), "Last day to pay; null if the document does not state it."),
  currency: described(Schema.NullOr(CurrencyCode), "Currency of the amounts; null if it cannot be read."),
  total: described(
    Schema.NullOr(Amount),
    "Amount including taxes, in the currency of the document, with the sign that it states: positive for a credit note, too; negative for an invoice that corrects another one. Null if it cannot be read."
  ),
  tax_total: described(
    Schema.NullOr(Amount),
    "Total of the taxes, in the currency of the document; null if it cannot be read."
  ),
  tax_rates: described(
    Schema.Array(
      Schema.Struct({
        rate: described(Decimal, "Rate in percent."),
        taxable_amount: described(Amount, "Amount without this tax, in the currency of the document."),
        tax_amount: described(Amount, "Tax of this rate, in the currency of the document.")
      })
    ),
    "Taxes by rate, as the document states them."
  ),
  description: described(Optional, "Names of the lines; null if they cannot be read."),
  payment_method: described(Optional, "Means of payment that the document names; null if it names none."),
  supplier: described(Supplier, "The seller, as the document names it."),
  signature: described(
    Schema.NullOr(FileSignature),
    "Signature in the file (CAdES, or XAdES in a FatturaPA); null for a file without one."
  ),
  problem: described(Optional, "Why the document cannot become an expense; null if it can.")
})
export type Reading = typeof Reading.Type

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
  json_object_id: ArchiveObjectId
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
  is_vat_deductible: described(nullable(Schema.Boolean), "True if the tax is deductible. Default: false.")
}).annotate({
  identifier: "ReceivedExpenseDraft",
  description: "The fields of the expense that documents do not state."
})
export type ExpenseChoice = typeof ExpenseChoice.Type
