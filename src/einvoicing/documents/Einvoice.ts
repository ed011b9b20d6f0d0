import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId, CreditNoteId, EinvoiceId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { listingQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"

/**
 * The states of a submission (contract section 11). `rejected`: the recipient or an authority refused it. `failed`: it
 * never reached them.
 */
export const EinvoiceStatus = Schema.Literals([
  "pending",
  "submitted",
  "sent",
  "delivered",
  "accepted",
  "rejected",
  "failed"
]).annotate({ identifier: "EinvoiceStatus" })
export type EinvoiceStatus = typeof EinvoiceStatus.Type

/** The recipient of a submission. */
const Recipient = Schema.Struct({
  identifier_scheme: Schema.String,
  identifier_value: Schema.String,
  name: Schema.String,
  country_code: Schema.String
})

/** A document that was submitted to its network, as all endpoints show it. */
export const Einvoice = Schema.Struct({
  id: EinvoiceId,
  document_type: DocumentType,
  /** Null when the document is a credit note. */
  invoice_id: Schema.NullOr(InvoiceId),
  /** Null when the document is an invoice. */
  credit_note_id: Schema.NullOr(CreditNoteId),
  number: Schema.String,
  provider: ProviderCode,
  environment: Environment,
  network: Schema.String,
  profile: Schema.String,
  recipient: Recipient,
  status: EinvoiceStatus,
  /** The latest status code of the network. */
  network_status: Schema.NullOr(Schema.String),
  /** The identifier that the network gave to the submission. */
  network_reference: Schema.NullOr(Schema.String),
  /** The reason of a failure or rejection. */
  reason: Schema.NullOr(Schema.String),
  /** True when the same submission could succeed later; null unless it failed. */
  retryable: Schema.NullOr(Schema.Boolean),
  /** SHA-256 of the transmitted bytes, in lower-case hexadecimal. */
  xml_sha256: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "Einvoice" })
export type Einvoice = typeof Einvoice.Type

/** Identifies a submission across organizations. */
export const EinvoiceKey = Schema.Struct({ organization_id: OrganizationId, id: EinvoiceId })
export type EinvoiceKey = typeof EinvoiceKey.Type

/** A row of the table `einvoices`. */
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

/** Exactly one of the two ids is set. */
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

/** One change or message in the history of a submission, with its source. */
const HistoryEntry = Schema.Struct({
  at: Timestamp,
  status: EinvoiceStatus,
  code: Schema.NullOr(Schema.String),
  source: Schema.String
})

export const EinvoiceProgress = Schema.Struct({
  ...Struct.pick(Einvoice.fields, ["status", "network_status", "environment"]),
  /** The oldest entry comes first. */
  history: Schema.Array(HistoryEntry)
}).annotate({ identifier: "EinvoiceProgress" })
export type EinvoiceProgress = typeof EinvoiceProgress.Type

/** A receipt of the network, which the archive keeps as evidence. */
const Receipt = Schema.Struct({
  type: Schema.String,
  at: Timestamp,
  sha256: Schema.String,
  archive_object_id: ArchiveObjectId
})

export const Evidence = Schema.Struct({
  document_id: EinvoiceId,
  environment: Environment,
  xml_sha256: Schema.String,
  receipts: Schema.Array(Receipt)
}).annotate({ identifier: "EinvoiceEvidence" })
export type Evidence = typeof Evidence.Type

/** A message of the network, or a step that this service made itself. */
export const Message = Schema.Struct({
  message_id: Schema.String,
  ...HistoryEntry.fields,
  receipt_type: Schema.NullOr(Schema.String),
  receipt_sha256: Schema.NullOr(Schema.String),
  archive_object_id: Schema.NullOr(ArchiveObjectId)
})
export type Message = typeof Message.Type

/** The fields of a message without a receipt. */
export const without_receipt = { receipt_type: null, receipt_sha256: null, archive_object_id: null }

export const einvoicesSorting = { columns: ["id", "updated_at"], usual: "-id" } as const

/** The query of the list of submissions. */
export const einvoicesQuery = {
  ...listingQuery(einvoicesSorting),
  status: Schema.optionalKey(EinvoiceStatus),
  provider: Schema.optionalKey(ProviderCode)
}
export type EinvoicesQuery = Schema.Struct.Type<typeof einvoicesQuery> & CursorRequest
