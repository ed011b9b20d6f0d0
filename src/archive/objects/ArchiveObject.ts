import { BigDecimal, Effect, Schema, SchemaGetter, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { page_max } from "../../kernel/Envelope.ts"
import { ArchiveObjectId } from "../../kernel/Ids.ts"
import { AmountInput } from "../../kernel/Money.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { Line } from "../../kernel/Text.ts"

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

const extensions = { "application/pdf": "pdf", "application/xml": "xml", "application/json": "json" } as const
export const object_content_types = [...Struct.keys(extensions), "application/octet-stream"] as const

/** The type that a download has, of bytes that came with `content_type`. */
export const contentTypeOf = (content_type: string): (typeof object_content_types)[number] =>
  object_content_types.find((type) => type === content_type) ?? "application/octet-stream"

/** Of the file that a download is saved as. */
export const extensionOf = (content_type: string): string =>
  Object.entries(extensions).find(([type]) => type === content_type)?.[1] ?? "bin"

/** What the archive can hold papers of. */
export const DocumentType = Schema.Literals(["invoice", "credit_note"])
export type DocumentType = typeof DocumentType.Type

/** One archived object, as the index lists it; contract section 12. Where its bytes lie is told in an export only. */
export const ArchiveObject = Schema.Struct({
  id: ArchiveObjectId,
  object_kind: ObjectKind,
  direction: Direction,
  number: Schema.NullOr(Schema.String),
  counterparty_name: Schema.NullOr(Schema.String),
  issue_date: Schema.NullOr(Day),
  /** Decimal text with the currency's decimals. */
  amount: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(CurrencyCode),
  /** Of the exact bytes that a download answers with, in lower-case hex. */
  sha256: Schema.String,
  content_type: Schema.String,
  size_bytes: Schema.Int,
  document_type: Schema.NullOr(Schema.String),
  document_id: Schema.NullOr(Schema.Int),
  archived_at: Timestamp
})
export type ArchiveObject = typeof ArchiveObject.Type

/** What the index is searched by, and what an export is narrowed to. */
const criteria = {
  /** Part of it, in any case. */
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

export const ObjectFilters = Schema.Struct(filters)
export type ObjectFilters = typeof ObjectFilters.Type

/** The body of an order; null counts as absent. */
export const ExportOrder = Schema.Struct(Struct.map(Struct.map(criteria, Schema.NullOr), Schema.optionalKey))
type ExportOrder = typeof ExportOrder.Type

/** The filters that a body sets. */
export const filtersOf = (order: ExportOrder): ObjectFilters =>
  // Boundary: without its nulls an order is filters, which `Object.fromEntries` cannot say.
  Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null)) as ObjectFilters

const per_page_max = 200

/** A whole number in a query; unlike other lists, the index refuses one that is out of range (contract section 1). */
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

/** Refuses ranges that end before they begin. */
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
