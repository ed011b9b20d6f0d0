import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, OrganizationId } from "../../kernel/Ids.ts"
import { ArchiveObject, DocumentType } from "../objects/ArchiveObject.ts"
import type { NewObject } from "../objects/ObjectsRepo.ts"

/**
 * What a kept object is, and the document it is about. All that says which document is null for what belongs to no
 * single one, such as a French e-reporting. A content type that a download cannot have is kept as that of plain bytes.
 */
export type Paper = Pick<
  NewObject,
  | "organization_id"
  | "object_kind"
  | "direction"
  | "content_type"
  | "document_type"
  | "document_id"
  | "number"
  | "counterparty_name"
  | "issue_date"
  | "amount"
  | "currency"
>

export const KeptPaper = Schema.Struct({
  object_id: ArchiveObjectId,
  ...Struct.pick(ArchiveObject.fields, ["sha256", "size_bytes"])
})
export type KeptPaper = typeof KeptPaper.Type

/** One exchange with an e-invoicing network or a tax authority. */
export const Transmission = Schema.Struct({
  /** Chosen by whoever exchanged it: the same on every attempt to record it, and no other's in the organization. */
  id: Schema.String,
  at: Timestamp,
  direction: ArchiveObject.fields.direction,
  /** Code of the network or of the authority's platform, e.g. `peppol`, `fr_ctc`. */
  network: Schema.String,
  /** What was exchanged, e.g. `submission`, `invoice_response`, `e_reporting`. */
  type: Schema.String,
  /** What the network said, in its own words, e.g. `AB`. */
  code: Schema.NullOr(Schema.String),
  /** How the network names it. */
  reference: Schema.NullOr(Schema.String),
  /** Null with the two below for what belongs to no single document. */
  document_type: Schema.NullOr(DocumentType),
  document_id: ArchiveObject.fields.document_id,
  number: ArchiveObject.fields.number,
  /** The bytes that were exchanged. */
  object_id: Schema.NullOr(ArchiveObjectId)
})
export type Transmission = typeof Transmission.Type

export const NewTransmission = Schema.Struct({ organization_id: OrganizationId, ...Transmission.fields })
export type NewTransmission = typeof NewTransmission.Type
