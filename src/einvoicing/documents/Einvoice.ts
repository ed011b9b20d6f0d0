import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId, CreditNoteId, EinvoiceId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { listingQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"
import { described } from "../../kernel/Described.ts"

/** See rules/e-invoicing.md, Documents. */
export const EinvoiceStatus = Schema.Literals([
  "pending",
  "submitted",
  "sent",
  "delivered",
  "accepted",
  "rejected",
  "failed"
]).annotate({
  identifier: "EinvoiceStatus",
  description:
    "`pending`: waits to be submitted; `submitted`: the provider has it; `sent`: on its way; `delivered`: the recipient has it; `accepted`: the recipient or the authority approved it; `rejected`: they refused it; `failed`: it could not be submitted or delivered, or its outcome is unknown; `reason` says which."
})
export type EinvoiceStatus = typeof EinvoiceStatus.Type

/** The `network_status` of a pending document that the organization has to sign. */
export const awaiting_signature = "AWAITING_SIGNATURE"

export const awaitsSignature = ({ network_status, status }: Pick<EinvoiceFacts, "network_status" | "status">) =>
  status === "pending" && network_status === awaiting_signature

const Recipient = Schema.Struct({
  identifier_scheme: described(Schema.String, "Scheme of the identifier of the recipient.", "0208"),
  identifier_value: described(Schema.String, "Identifier of the recipient.", "0202239951"),
  name: described(Schema.String, "Name of the recipient."),
  country_code: described(Schema.String, "ISO 3166-1 code of the country of the recipient.")
})

export const Einvoice = Schema.Struct({
  id: EinvoiceId,
  document_type: DocumentType,
  invoice_id: described(Schema.NullOr(InvoiceId), "The submitted invoice; null if the document is a credit note."),
  credit_note_id: described(
    Schema.NullOr(CreditNoteId),
    "The submitted credit note; null if the document is an invoice."
  ),
  number: described(Schema.String, "Number of the document."),
  provider: ProviderCode,
  environment: Environment,
  network: described(Schema.String, "Network that carries the document; the same code as its provider."),
  profile: described(Schema.String, "Document format that was sent.", "peppol-bis-billing-3"),
  recipient: described(Recipient, "The recipient on the network."),
  status: EinvoiceStatus,
  network_status: described(
    Schema.NullOr(Schema.String),
    "Latest status code of the network, such as `AP`, or `AWAITING_SIGNATURE` while the organization has to sign the document; null before the first one."
  ),
  network_reference: described(
    Schema.NullOr(Schema.String),
    "Identifier that the network gave to the submission; null before the network has it."
  ),
  reason: described(Schema.NullOr(Schema.String), "Why the document failed or was rejected; null otherwise."),
  retryable: described(
    Schema.NullOr(Schema.Boolean),
    "True if the same submission could succeed later; null unless it failed."
  ),
  xml_sha256: described(Schema.String, "SHA-256 of the transmitted bytes, in lower-case hexadecimal."),
  created_at: described(Timestamp, "Time of the submission."),
  updated_at: described(Timestamp, "Time of the last change.")
}).annotate({
  identifier: "Einvoice",
  description: "An invoice or a credit note that was submitted to an e-invoicing network."
})
export type Einvoice = typeof Einvoice.Type

export const EinvoiceKey = Schema.Struct({ organization_id: OrganizationId, id: EinvoiceId })
export type EinvoiceKey = typeof EinvoiceKey.Type

export const keyOf = ({ id, organization_id }: EinvoiceKey): EinvoiceKey => ({ id, organization_id })

export const EinvoiceFacts = Schema.Struct({
  ...Struct.omit(Einvoice.fields, ["document_type", "network"]),
  organization_id: OrganizationId,
  transmission_id: Schema.String,
  sender_scheme: Schema.String,
  sender_value: Schema.String,
  /** Null once the document is archived. */
  xml: Schema.NullOr(Schema.String),
  xml_object_id: Schema.NullOr(ArchiveObjectId),
  next_poll_at: Schema.NullOr(Timestamp),
  polls: Schema.Int
})
export type EinvoiceFacts = typeof EinvoiceFacts.Type

/** A submission has either an invoice id or a credit note id. */
export const documentTypeOf = ({ invoice_id }: Pick<EinvoiceFacts, "invoice_id">): DocumentType =>
  invoice_id === null ? "credit_note" : "invoice"

export const shown = (facts: EinvoiceFacts): Einvoice => ({
  ...Struct.pick(facts, [
    "id",
    "invoice_id",
    "credit_note_id",
    "number",
    "provider",
    "environment",
    "profile",
    "recipient",
    "status",
    "network_status",
    "network_reference",
    "reason",
    "retryable",
    "xml_sha256",
    "created_at",
    "updated_at"
  ]),
  document_type: documentTypeOf(facts),
  // Each network has one provider, which has the same code.
  network: facts.provider
})

export const einvoiceEvent = recordEvent("einvoice", Einvoice)

const HistoryEntry = Schema.Struct({
  at: described(Timestamp, "Time of the change or message."),
  status: EinvoiceStatus,
  code: described(Schema.NullOr(Schema.String), "Status code of the network; null if the network gave none."),
  source: described(Schema.String, "Source of the change: `service`, `network`, `recipient` or `authority`.")
})

export const EinvoiceProgress = Schema.Struct({
  ...Struct.pick(Einvoice.fields, ["status", "network_status", "environment"]),
  history: described(Schema.Array(HistoryEntry), "Changes and messages, the oldest first.")
}).annotate({ identifier: "EinvoiceProgress", description: "The status of a submitted document, with its history." })
export type EinvoiceProgress = typeof EinvoiceProgress.Type

/** A receipt of the network, which the archive keeps as evidence. */
const Receipt = Schema.Struct({
  type: described(Schema.String, "Kind of the receipt.", "as4_receipt"),
  at: described(Timestamp, "Time of the receipt."),
  sha256: described(Schema.String, "SHA-256 of the receipt, in lower-case hexadecimal."),
  archive_object_id: ArchiveObjectId
})

export const Evidence = Schema.Struct({
  document_id: EinvoiceId,
  environment: Environment,
  xml_sha256: described(Schema.String, "SHA-256 of the transmitted bytes, in lower-case hexadecimal."),
  receipts: described(Schema.Array(Receipt), "Receipts of the network, the oldest first.")
}).annotate({ identifier: "EinvoiceEvidence", description: "The archived evidence that a document was transmitted." })
export type Evidence = typeof Evidence.Type

/** A message from the network, or an entry by this service itself, for example when a document is submitted. */
export const Message = Schema.Struct({
  message_id: Schema.String,
  ...HistoryEntry.fields,
  receipt_type: Schema.NullOr(Schema.String),
  receipt_sha256: Schema.NullOr(Schema.String),
  archive_object_id: Schema.NullOr(ArchiveObjectId)
})
export type Message = typeof Message.Type

/** An archived file. */
interface Archived {
  readonly object_id: ArchiveObjectId
  readonly sha256: string
}

/** The fields of a message whose receipt is archived. */
export const withReceipt = (receipt_type: string, { object_id, sha256 }: Archived) => ({
  receipt_type,
  receipt_sha256: sha256,
  archive_object_id: object_id
})

export const without_receipt = { receipt_type: null, receipt_sha256: null, archive_object_id: null }

export const einvoicesSorting = { columns: ["id", "updated_at"], usual: "-id" } as const

export const einvoicesQuery = {
  ...listingQuery(einvoicesSorting),
  status: described(Schema.optionalKey(EinvoiceStatus), "Only documents with this status."),
  provider: described(Schema.optionalKey(ProviderCode), "Only documents of this provider.")
}
export type EinvoicesQuery = Schema.Struct.Type<typeof einvoicesQuery> & CursorRequest
