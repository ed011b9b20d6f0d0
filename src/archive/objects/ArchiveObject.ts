import { BigDecimal, Effect, Schema, SchemaGetter, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { page_max } from "../../kernel/Envelope.ts"
import { Environment } from "../../kernel/Environment.ts"
import { ArchiveObjectId } from "../../kernel/Ids.ts"
import { AmountInput } from "../../kernel/Money.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { Line } from "../../kernel/Text.ts"
import { file_mime_types, fileExtensionOf } from "../../platform/documents/FileType.ts"
import { described, describedOrNull, shownAs } from "../../kernel/Described.ts"

const ObjectKind = Schema.Literals([
  "request_body",
  "response_body",
  "ubl_xml",
  "pdf",
  "attachment",
  "webhook_event",
  "received_document_json",
  "status_snapshot",
  "evidence"
])

const Direction = Schema.Literals(["outbound", "inbound"])

const unknown_type = "application/octet-stream"
const network_extensions: ReadonlyMap<string, string> = new Map([
  ["application/xml", "xml"],
  ["application/json", "json"]
])
export const object_content_types = [...network_extensions.keys(), ...file_mime_types, unknown_type]

/** Returns the content type if the API declares it for downloads, and otherwise `application/octet-stream`. */
export const contentTypeOf = (content_type: string): string =>
  object_content_types.find((type) => type === content_type) ?? unknown_type

export const extensionOf = (content_type: string): string =>
  network_extensions.get(content_type) ?? fileExtensionOf(content_type) ?? "bin"

export const DocumentType = Schema.Literals(["invoice", "credit_note"])
export type DocumentType = typeof DocumentType.Type

/** See rules/archive.md, Objects. Only exports show the address of an object in the storage. */
export const ArchiveObject = Schema.Struct({
  id: ArchiveObjectId,
  object_kind: described(ObjectKind, "What the bytes are, such as the PDF of a document or the answer of a network."),
  direction: described(Direction, "`outbound`: made or sent by the organization; `inbound`: received."),
  number: described(
    Schema.NullOr(Schema.String),
    "Number of the document; null if the object belongs to no single document."
  ),
  counterparty_name: described(
    Schema.NullOr(Schema.String),
    "Name of the other party; null if the object belongs to no single document."
  ),
  issue_date: described(
    Schema.NullOr(Day),
    "Issue date of the document; null if the object belongs to no single document."
  ),
  amount: described(
    Schema.NullOr(Schema.String),
    "Total of the document in its currency, as a text with the decimals of the currency; null if there is none.",
    "121.00"
  ),
  currency: described(Schema.NullOr(CurrencyCode), "Currency of the amount; null if there is none."),
  environment: described(
    Schema.NullOr(Environment),
    "Network over which the object was exchanged; null if it was not exchanged."
  ),
  sha256: described(Schema.String, "SHA-256 of the bytes that the download answers, in lower-case hex."),
  content_type: described(Schema.String, "Media type of the bytes."),
  size_bytes: described(Schema.Int, "Number of bytes."),
  document_type: described(
    Schema.NullOr(Schema.String),
    "Kind of the document; null if the object belongs to no single document."
  ),
  document_id: described(
    Schema.NullOr(Schema.Int),
    "Id of the document; null if the object belongs to no single document."
  ),
  archived_at: described(Timestamp, "Time at which the object was stored.")
}).annotate({ identifier: "ArchiveObject", description: "Bytes that the archive keeps unchanged." })
export type ArchiveObject = typeof ArchiveObject.Type

const criteria = {
  number: described(Line, "Part of the number, ignoring case."),
  counterparty: described(Line, "Part of the counterparty's name, ignoring case."),
  issued_from: described(Day, "First issue date."),
  issued_until: described(Day, "Last issue date."),
  amount_min: described(AmountInput, "Minimum total, in the currency of the document."),
  amount_max: described(AmountInput, "Maximum total, in the currency of the document."),
  direction: described(Direction, "Only objects in this direction."),
  kind: described(ObjectKind, "Only objects of this kind.")
}
const filters = Struct.map(criteria, Schema.optionalKey)

export const ObjectFilters = Schema.Struct(filters).annotate({
  identifier: "ArchiveFilters",
  description: "The filters of an export."
})
export type ObjectFilters = typeof ObjectFilters.Type

export const ExportOrder = Schema.Struct(
  Struct.map(Struct.map(criteria, describedOrNull), Schema.optionalKey)
).annotate({
  identifier: "ArchiveExportOrder",
  description: "Which objects an export contains; a filter that is null or absent does not apply."
})
type ExportOrder = typeof ExportOrder.Type

export const filtersOf = (order: ExportOrder): ObjectFilters =>
  Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null))

const per_page_max = 200

/**
 * Refuses a number out of range. The other lists of the API use the nearest allowed number instead
 * (rules/conventions.md, Lists).
 */
const whole = (max: number) => {
  const message = `must be a whole number from 1 to ${max}.`
  const shown = shownAs({ type: "integer", minimum: 1, maximum: max })
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message, ...shown })).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max }, { message })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    }),
    Schema.optionalKey
  )
}

export const indexQuery = {
  ...filters,
  per_page: described(whole(per_page_max), `Rows per page, at most ${per_page_max}.`),
  page: described(whole(page_max), "Number of the page, from 1.")
}
export type IndexQuery = Schema.Struct.Type<typeof indexQuery>

export const requireRanges = (asked: ObjectFilters): Effect.Effect<void, ValidationFailed> => {
  const { amount_max, amount_min, issued_from, issued_until } = asked
  const errors: FieldErrors = {
    ...(issued_from !== undefined && issued_until !== undefined && issued_until < issued_from
      ? { issued_until: ["The issued_until field must not be before issued_from."] }
      : {}),
    ...(amount_min !== undefined && amount_max !== undefined && BigDecimal.isLessThan(amount_max, amount_min)
      ? { amount_max: ["The amount_max field must not be less than amount_min."] }
      : {})
  }
  return Object.keys(errors).length === 0 ? Effect.void : Effect.fail(ValidationFailed.of(errors))
}
