import { Schema, SchemaGetter } from "effect"
import { Text } from "../../kernel/Text.ts"
import { pageLanguages } from "../../platform/pages/PageLanguage.ts"
import { described } from "../../kernel/Described.ts"

export const footer_characters_max = 500
const subject_characters_max = 200
const text_characters_max = 5_000
const payment_url_characters_max = 1_000

/** Placeholders of an organization's own mail texts; `message` is the text that the sender of the document writes. */
const mail_placeholders = ["organization", "customer", "number", "total", "amount_due", "date", "message"] as const
export type MailPlaceholder = (typeof mail_placeholders)[number]

const payment_placeholders = ["number", "amount", "currency", "reference"] as const
export type PaymentPlaceholder = (typeof payment_placeholders)[number]

export const BrandColor = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.isPattern(/^#[0-9a-f]{6}$/, { message: "must be a colour such as #1a5fb4." })),
    { decode: SchemaGetter.transform((text) => text.toLowerCase()), encode: SchemaGetter.passthrough() }
  )
)

/** Accepts braces only around the names of placeholders. */
const withPlaceholders = (names: ReadonlyArray<string>) =>
  Schema.makeFilter(
    (text: string) =>
      !/[{}]/.test(text.replaceAll(/\{(\w+)\}/g, (all, name: string) => (names.includes(name) ? "" : all))),
    { message: `may only contain the placeholders ${names.map((name) => `{${name}}`).join(", ")}.` }
  )

const filledWith = (url: string, value: string) => URL.parse(url.replaceAll(/\{\w+\}/g, value))

/** An `https` URL whose host contains no placeholder, so that no document decides where the customer's money goes. */
export const PaymentUrl = Text(payment_url_characters_max).check(
  withPlaceholders(payment_placeholders),
  Schema.makeFilter(
    (text) => {
      const url = filledWith(text, "a")
      if (url === null || url.protocol !== "https:" || url.username !== "") return false
      return url.host === filledWith(text, "b")?.host
    },
    { message: "must be an https:// address whose host has no placeholder." }
  )
)

/** The text of the sender may have thousands of lines, which a mail that repeats it would multiply. */
const messageOnce = Schema.makeFilter((text: string) => text.split("{message}").length <= 2, {
  message: "may contain the placeholder {message} only once."
})

const MailText = Schema.Struct({
  subject: described(
    Schema.optionalKey(
      Text(subject_characters_max).check(
        Schema.isPattern(/^[^\r\n]*\S[^\r\n]*$/, { message: "must be one line." }),
        withPlaceholders(mail_placeholders.filter((name) => name !== "message"))
      )
    ),
    "Subject of the message in one line, at most 200 characters, with placeholders such as `{number}` except `{message}`; absent: the standard subject."
  ),
  text: described(
    Schema.optionalKey(Text(text_characters_max).check(withPlaceholders(mail_placeholders), messageOnce)),
    "Text of the message, at most 5,000 characters, with placeholders such as `{number}`, of which `{message}` occurs at most once; absent: the standard text."
  )
})

const KindTexts = Schema.Struct({
  invoice: described(Schema.optionalKey(MailText), "Message with an invoice; absent: the standard message."),
  quote: described(Schema.optionalKey(MailText), "Message with a quote; absent: the standard message."),
  credit_note: described(Schema.optionalKey(MailText), "Message with a credit note; absent: the standard message.")
})

export const MailTexts = Schema.Record(Schema.String, KindTexts).check(
  Schema.makeFilter((texts) => Object.keys(texts).every((key) => pageLanguages.some((known) => known === key)), {
    message: `may only have the languages ${pageLanguages.join(", ")}.`
  })
)
