import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId, OrganizationId } from "../../kernel/Ids.ts"
import { ArchiveObject, DocumentType } from "./ArchiveObject.ts"
import type { NewObject } from "./ObjectsRepo.ts"

/**
 * The fields about a document are null when the object belongs to no single document, as in French e-reporting. An
 * unknown content type is stored as `application/octet-stream`.
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
  | "environment"
>

export const KeptPaper = Schema.Struct({
  object_id: ArchiveObjectId,
  ...Struct.pick(ArchiveObject.fields, ["sha256", "size_bytes"])
})
export type KeptPaper = typeof KeptPaper.Type

export const Transmission = Schema.Struct({
  /** Id that the caller chooses. It is the same on every attempt, and unique within the organization. */
  id: Schema.String,
  at: Timestamp,
  direction: ArchiveObject.fields.direction,
  /** The code of the network or of the authority's platform, e.g. `peppol` or `fr_ctc`. */
  network: Schema.String,
  environment: Environment,
  /** The kind of message, e.g. `submission`, `invoice_response` or `e_reporting`. */
  type: Schema.String,
  /** The status code of the network, e.g. `AB`. */
  code: Schema.NullOr(Schema.String),
  /** The identifier that the network gave to the transmission. */
  reference: Schema.NullOr(Schema.String),
  /** The document that the transmission is about. Its three fields are null if there is no single such document. */
  document_type: Schema.NullOr(DocumentType),
  document_id: ArchiveObject.fields.document_id,
  number: ArchiveObject.fields.number,
  /** The archived bytes of the message; null when only a status code was exchanged. */
  object_id: Schema.NullOr(ArchiveObjectId)
})
export type Transmission = typeof Transmission.Type

export const NewTransmission = Schema.Struct({ organization_id: OrganizationId, ...Transmission.fields })
export type NewTransmission = typeof NewTransmission.Type
