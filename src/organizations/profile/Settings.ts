import { Equal, Schema, SchemaGetter, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { BrandColor, footer_characters_max, MailTexts, PaymentUrl } from "./BrandSettings.ts"
import { Text } from "../../kernel/Text.ts"
import { NumberFormat } from "../../kernel/NumberFormat.ts"
import {
  InvoiceNumberOn,
  ItalianTaxRegime,
  StoredMailTexts,
  OrganizationSettings,
  PdfFormat
} from "../../kernel/OrganizationSettings.ts"
import { Bic, Iban } from "./Iban.ts"
import { described } from "../../kernel/Described.ts"

const sequence_max = 2_000_000_000
const payment_terms_days_max = 3_650
const entries_max = 50

const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}.` })
  )

const entry = <const Key extends keyof OrganizationSettings, Value extends Schema.Top>(
  key: Key,
  value: Value,
  description: string
) =>
  Schema.Struct({
    key: described(Schema.Literal(key), "Name of the setting."),
    value: described(Schema.NullOr(value), `${description} Null restores the default.`)
  })

const SettingChange = Schema.Union([
  entry("invoice_number_format", NumberFormat, "Form of the numbers of invoices. Default: `{PREFIX}-{YYYY}-{SEQ:4}`."),
  entry(
    "quote_number_format",
    NumberFormat,
    "Form of the numbers of quotes, from the next number on. Default: that of invoices if it has `{PREFIX}`."
  ),
  entry(
    "credit_note_number_format",
    NumberFormat,
    "Form of the numbers of credit notes, from the next number on. Default: that of invoices if it has `{PREFIX}`."
  ),
  entry(
    "invoice_next_number",
    wholeNumber(1, sequence_max),
    "Minimum number of the next invoice, to continue the numbers of another system."
  ),
  entry(
    "invoice_next_number_year",
    wholeNumber(1900, 9999),
    "Year of the issue dates to which `invoice_next_number` applies. Default: the year in which that number is set."
  ),
  entry("invoice_number_on", InvoiceNumberOn, "When an invoice gets its number. Default: `issue`."),
  entry(
    "invoice_chronology_enforced",
    Schema.Boolean,
    "If true, an issue date before the latest one of the series is refused; if false, it only causes a warning. Default: false."
  ),
  entry("allow_overpayment", Schema.Boolean, "True allows payments that exceed the balance due. Default: false."),
  entry(
    "default_payment_terms_days",
    wholeNumber(0, payment_terms_days_max),
    "Days from the issue date to the due date of an invoice that is created from a quote. Default: 30."
  ),
  entry("pdf_format", PdfFormat, "Form of the PDF of an issued document. Default: `facturx`."),
  entry(
    "reconciliation_auto_threshold",
    wholeNumber(0, 100),
    "Minimum score, 0 to 100, of a suggested match of a bank transaction for bulk confirmation. Default: 50."
  ),
  entry(
    "books_locked_until",
    Day,
    "Last day of the closed books: nothing dated until then can be changed. Owners and accountants may set it."
  ),
  entry(
    "stored_bytes_quota",
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
    "Limit for all files of the organization, in bytes. Default: 10 GiB. Only the operator can raise it above the default."
  ),
  entry("payment_iban", Iban, "Account to which customers transfer money, as printed on invoices."),
  entry("payment_bic", Bic, "BIC of the bank of `payment_iban`."),
  entry(
    "it_tax_regime",
    ItalianTaxRegime,
    "Tax regime that an Italian e-invoice states as it was at the issue of the document. Default: `RF01`."
  ),
  entry("brand_color", BrandColor, "Colour of documents, mails and portal, as `#1a5fb4`."),
  entry("document_footer", Text(footer_characters_max), "Text in the footer of documents, mails and the portal."),
  entry(
    "payment_url",
    PaymentUrl,
    "Address where a customer pays online, with the placeholders `{number}`, `{amount}`, `{currency}` and `{reference}`."
  ),
  entry("mail_texts", MailTexts, "Subjects and texts of mails by language and kind of document.")
]).annotate({ message: "must be the key and value of a known setting." })
export type SettingChange = typeof SettingChange.Type

/** Settings that are not in the list stay as they are. */
export const SettingChanges = Schema.Array(SettingChange).check(
  Schema.isMaxLength(entries_max, { message: `may not have more than ${entries_max} entries.` }),
  Schema.makeFilter((changes) => {
    const names = changes.map(({ key }) => key)
    return names.flatMap((key, index) =>
      names.indexOf(key) < index ? [{ path: [index, "key"], issue: "must not repeat an earlier entry." }] : []
    )
  })
)

const keys = Struct.keys(OrganizationSettings.fields)

/** GET returns every setting, with null for a setting without a value. PUT accepts the same list. */
export const SettingList = Schema.Array(
  Schema.Struct({
    key: described(Schema.Literals(keys), "Name of the setting."),
    value: described(
      Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, StoredMailTexts])),
      "Value of the setting; null if it is not set."
    )
  })
)
  .annotate({ description: "All settings of an organization, by key." })
  .pipe(
    Schema.decodeTo(OrganizationSettings, {
      // Boundary: `fromEntries` loses the types, but `OrganizationSettings` decodes each value after this step.
      decode: SchemaGetter.transform((list) => toObject(list) as typeof OrganizationSettings.Encoded),
      encode: SchemaGetter.transform((settings) => keys.map((key) => ({ key, value: settings[key] ?? null })))
    })
  )

const toObject = (list: ReadonlyArray<{ readonly key: string; readonly value: unknown }>) =>
  Object.fromEntries(list.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])))

/** Returns the settings that change. A next number of invoices that is sent without its year applies to `year`. */
export const changedSettings = (
  current: OrganizationSettings,
  sent: ReadonlyArray<SettingChange>,
  year: number
): ReadonlyArray<SettingChange> => {
  const isChanged = ({ key, value }: SettingChange) => !Equal.equals(current[key] ?? null, value)
  const changes = sent.filter(isChanged)
  const asked = sent.find(({ key }) => key === "invoice_next_number")
  if (asked === undefined || sent.some(({ key }) => key === "invoice_next_number_year")) return changes
  const dated = { key: "invoice_next_number_year" as const, value: asked.value === null ? null : year }
  return isChanged(dated) ? [...changes, dated] : changes
}

/** An object to merge into the stored settings, from which null values are then removed. */
export const storedChanges = (changes: ReadonlyArray<SettingChange>) =>
  Object.fromEntries(changes.map(({ key, value }) => [key, value]))
