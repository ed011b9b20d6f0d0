import { Effect, Schema, Struct } from "effect"
import { Day } from "./Calendar.ts"
import { NumberFormat } from "./NumberFormat.ts"
import { described } from "./Described.ts"

const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/** Default limit in bytes for all files of an organization together; only the operator may raise it. */
export const stored_bytes_quota_default = 10 * 1024 ** 3

export const InvoiceNumberOn = Schema.Literals(["issue", "create"]).annotate({
  identifier: "InvoiceNumberOn",
  description:
    "When an invoice gets its number. `issue`: when it is issued; `create`: when it is created, and a deleted draft is kept as `void`, so that the numbers have no gap."
})

export const PdfFormat = Schema.Literals(["facturx", "pdf"]).annotate({
  identifier: "PdfFormat",
  description:
    "`facturx`: the PDF of an issued invoice or credit note contains its data as XML, if the data make a valid e-invoice; `pdf`: it never contains XML."
})

export const ItalianTaxRegime = Schema.Literals([
  "RF01",
  "RF02",
  "RF04",
  "RF05",
  "RF06",
  "RF07",
  "RF08",
  "RF09",
  "RF10",
  "RF11",
  "RF12",
  "RF13",
  "RF14",
  "RF15",
  "RF16",
  "RF17",
  "RF18",
  "RF19"
]).annotate({
  identifier: "ItalianTaxRegime",
  description: "Tax regime of an Italian business (RegimeFiscale). `RF01`: ordinary; `RF19`: flat rate (forfettario)."
})
export type ItalianTaxRegime = typeof ItalianTaxRegime.Type

const MailText = Schema.Struct({
  subject: described(
    Schema.optionalKey(Schema.String),
    "Subject of the message, with placeholders; absent: the standard subject."
  ),
  text: described(
    Schema.optionalKey(Schema.String),
    "Text of the message, with placeholders; absent: the standard text."
  )
}).annotate({ identifier: "MailText", description: "An organization's own subject and text of a message." })

/** Texts by language and kind of document, with placeholders such as `{number}`. */
export const StoredMailTexts = Schema.Record(
  Schema.String,
  Schema.Struct({
    invoice: described(Schema.optionalKey(MailText), "Message with an invoice; absent: the standard message."),
    quote: described(Schema.optionalKey(MailText), "Message with a quote; absent: the standard message."),
    credit_note: described(Schema.optionalKey(MailText), "Message with a credit note; absent: the standard message.")
  })
).annotate({
  identifier: "MailTexts",
  description: "An organization's own messages, by language and kind of document."
})
export type StoredMailTexts = typeof StoredMailTexts.Type

export const number_format_default = "{PREFIX}-{YYYY}-{SEQ:4}"

/** See rules/organizations.md, Settings. No setting is an exact decimal, so plain JSON can store all of them. */
export const OrganizationSettings = Schema.Struct({
  invoice_number_format: withDefault(NumberFormat, number_format_default),
  /** Absent: the format of invoices, or the default if that format has no `{PREFIX}`. */
  quote_number_format: Schema.optionalKey(NumberFormat),
  credit_note_number_format: Schema.optionalKey(NumberFormat),
  invoice_next_number: Schema.optionalKey(Schema.Int),
  /** Absent in settings of earlier versions, where the first series that takes the number is the only one. */
  invoice_next_number_year: Schema.optionalKey(Schema.Int),
  invoice_number_on: withDefault(InvoiceNumberOn, "issue"),
  /** If false, an issue date before that of the last document in the number series only causes a warning. */
  invoice_chronology_enforced: withDefault(Schema.Boolean, false),
  allow_overpayment: withDefault(Schema.Boolean, false),
  default_payment_terms_days: withDefault(Schema.Int, 30),
  pdf_format: withDefault(PdfFormat, "facturx"),
  reconciliation_auto_threshold: withDefault(Schema.Int, 50),
  /** Last day of the closed books: a record dated on or before it cannot be created, changed or deleted. */
  books_locked_until: Schema.optionalKey(Day),
  stored_bytes_quota: withDefault(Schema.Int, stored_bytes_quota_default),
  payment_iban: Schema.optionalKey(Schema.String),
  payment_bic: Schema.optionalKey(Schema.String),
  /** The tax regime of an Italian business; absent for the ordinary regime. */
  it_tax_regime: Schema.optionalKey(ItalianTaxRegime),
  /** Hexadecimal, e.g. "#1a5fb4". */
  brand_color: Schema.optionalKey(Schema.String),
  /** Printed in the footer of documents, messages and the pages of the portal. */
  document_footer: Schema.optionalKey(Schema.String),
  /** The address where a customer pays an invoice online, with the placeholders of `payment_placeholders`. */
  payment_url: Schema.optionalKey(Schema.String),
  mail_texts: Schema.optionalKey(StoredMailTexts)
}).annotate({ identifier: "OrganizationSettings", description: "The settings of an organization." })
export type OrganizationSettings = typeof OrganizationSettings.Type

/** The settings that every request loads. Mail texts are not among them, because they may be larger than a megabyte. */
export const LoadedSettings = Schema.Struct(Struct.omit(OrganizationSettings.fields, ["mail_texts"]))
export type LoadedSettings = typeof LoadedSettings.Type
