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

/** Spec, Archive manifest row. */
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

/** Replaces an unknown content type by that of plain bytes, because a download declares its possible types. */
export const contentTypeOf = (content_type: string): string =>
  object_content_types.find((type) => type === content_type) ?? unknown_type

/** Returns the file extension for a download. */
export const extensionOf = (content_type: string): string =>
  network_extensions.get(content_type) ?? fileExtensionOf(content_type) ?? "bin"

/** The kinds of documents that archived objects can belong to. */
export const DocumentType = Schema.Literals(["invoice", "credit_note"])
export type DocumentType = typeof DocumentType.Type

/** One archived object in the index (contract section 12). Only an export reveals its storage address. */
export const ArchiveObject = Schema.Struct({
  id: ArchiveObjectId,
  object_kind: ObjectKind,
  direction: Direction,
  number: Schema.NullOr(Schema.String),
  counterparty_name: Schema.NullOr(Schema.String),
  issue_date: Schema.NullOr(Day),
  /** A decimal string with as many decimals as the currency has. */
  amount: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(CurrencyCode),
  /** Null for an object that was not exchanged with a network. */
  environment: Schema.NullOr(Environment),
  /** SHA-256 of the exact bytes that a download answers with, in lower-case hex. */
  sha256: Schema.String,
  content_type: Schema.String,
  size_bytes: Schema.Int,
  document_type: Schema.NullOr(Schema.String),
  document_id: Schema.NullOr(Schema.Int),
  archived_at: Timestamp
}).annotate({ identifier: "ArchiveObject" })
export type ArchiveObject = typeof ArchiveObject.Type

/** The filters of the index and of exports. */
const criteria = {
  /** Matches any part of the number, in upper or lower case. */
  number: Line,
  counterparty: Line,
  issued_from: Day,
  issued_until: Day,
  amount_min: AmountInput,
  amount_max: AmountInput,
  direction: Direction,
  kind: ObjectKind
}
const filters = Struct.map(criteria, Schema.optionalKey)

export const ObjectFilters = Schema.Struct(filters).annotate({ identifier: "ArchiveFilters" })
export type ObjectFilters = typeof ObjectFilters.Type

/** The body of an export order; null means that a filter is absent. */
export const ExportOrder = Schema.Struct(Struct.map(Struct.map(criteria, Schema.NullOr), Schema.optionalKey)).annotate({
  identifier: "ArchiveExportOrder"
})
type ExportOrder = typeof ExportOrder.Type

/** Removes the filters that are null. */
export const filtersOf = (order: ExportOrder): ObjectFilters =>
  Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null))

const per_page_max = 200

/** A whole number in a query. Unlike other lists, the index refuses a value out of range (contract section 1). */
const whole = (max: number) => {
  const message = `must be a whole number from 1 to ${max}.`
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message })).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max }, { message })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    }),
    Schema.optionalKey
  )
}

export const indexQuery = { ...filters, per_page: whole(per_page_max), page: whole(page_max) }
export type IndexQuery = Schema.Struct.Type<typeof indexQuery>

/** Fails when a range ends before it begins. */
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
