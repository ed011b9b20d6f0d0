import { Equal, Schema, SchemaGetter, Struct } from "effect"
import { Day } from "../kernel/Calendar.ts"
import { BrandColor, footer_characters_max, MailTexts, PaymentUrl } from "./BrandSettings.ts"
import { Text } from "../kernel/Text.ts"
import { NumberFormat } from "../kernel/NumberFormat.ts"
import {
  InvoiceNumberOn,
  MailTexts as StoredMailTexts,
  OrganizationSettings,
  PdfFormat,
  stored_bytes_quota_default
} from "../kernel/OrganizationSettings.ts"
import { Iban } from "./Iban.ts"

const sequence_max = 2_000_000_000
const payment_terms_days_max = 3_650
const entries_max = 50

const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}.` })
  )

/** ISO 9362: a BIC has bank, country, location and an optional branch. */
const Bic = Schema.String.check(
  Schema.isPattern(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, { message: "must be a valid BIC." })
)

const entry = <const Key extends keyof OrganizationSettings, Value extends Schema.Top>(key: Key, value: Value) =>
  Schema.Struct({ key: Schema.Literal(key), value: Schema.NullOr(value) })

/** A setting as clients send it; null restores the default. */
const SettingChange = Schema.Union([
  entry("invoice_number_format", NumberFormat),
  entry("quote_number_format", NumberFormat),
  entry("credit_note_number_format", NumberFormat),
  entry("invoice_next_number", wholeNumber(1, sequence_max)),
  entry("invoice_number_on", InvoiceNumberOn),
  entry("invoice_chronology_enforced", Schema.Boolean),
  entry("allow_overpayment", Schema.Boolean),
  entry("default_payment_terms_days", wholeNumber(0, payment_terms_days_max)),
  entry("pdf_format", PdfFormat),
  entry("reconciliation_auto_threshold", wholeNumber(0, 100)),
  entry("books_locked_until", Day),
  // An organization may lower its own quota.
  entry("stored_bytes_quota", wholeNumber(0, stored_bytes_quota_default)),
  entry("payment_iban", Iban),
  entry("payment_bic", Bic),
  entry("brand_color", BrandColor),
  entry("document_footer", Text(footer_characters_max)),
  entry("payment_url", PaymentUrl),
  entry("mail_texts", MailTexts)
]).annotate({ message: "must be the key and value of a known setting." })
type SettingChange = typeof SettingChange.Type

/** Absent settings keep their values. */
export const SettingChanges = Schema.Array(SettingChange).check(
  Schema.isMaxLength(entries_max, { message: `may not have more than ${entries_max} entries.` })
)

const keys = Struct.keys(OrganizationSettings.fields)

/** GET answers every setting, with null for unset ones; PUT accepts the same list. */
export const SettingList = Schema.Array(
  Schema.Struct({
    key: Schema.Literals(keys),
    value: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, StoredMailTexts]))
  })
).pipe(
  Schema.decodeTo(OrganizationSettings, {
    // Boundary: `fromEntries` loses the types, but the schema decodes each value under its key next.
    decode: SchemaGetter.transform((list) => toObject(list) as typeof OrganizationSettings.Encoded),
    encode: SchemaGetter.transform((settings) => keys.map((key) => ({ key, value: settings[key] ?? null })))
  })
)

const toObject = (list: ReadonlyArray<{ readonly key: string; readonly value: unknown }>) =>
  Object.fromEntries(list.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])))

/** The changes that are no repetition of the current setting. */
export const changedSettings = (current: OrganizationSettings, changes: ReadonlyArray<SettingChange>) =>
  changes.filter(({ key, value }) => !Equal.equals(current[key] ?? null, value))

/** An object that is merged into the stored settings; null values are then removed. */
export const storedChanges = (changes: ReadonlyArray<SettingChange>) =>
  Object.fromEntries(changes.map(({ key, value }) => [key, value]))
