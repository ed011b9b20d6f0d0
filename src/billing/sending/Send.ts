import { Schema, SchemaGetter } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { Notes, nullable } from "../../kernel/Text.ts"
import { StoredMailFailureCode } from "../../platform/mail/Mailer.ts"
import { described } from "../../kernel/Described.ts"

export const recipients_max = 50
const recipients_text_max = recipients_max * 256
/** Maximum number of addresses in a list before duplicates are removed. */
const named_max = recipients_max * 10

const split = (text: string) => text.split(",").flatMap((address) => address.trim() || [])

/** Removes duplicate addresses, because each address gets one message. Letter case does not matter. */
export const distinct = (addresses: ReadonlyArray<string>) => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()
]

/** One address, several addresses separated by commas, or a list. An empty value means the default recipient. */
const Recipients = Schema.Union([
  Schema.String.check(
    Schema.isMaxLength(recipients_text_max, { message: `may not be longer than ${recipients_text_max} characters.` })
  ),
  Schema.Array(Schema.String).check(
    Schema.isMaxLength(named_max, { message: `may not have more than ${recipients_max} entries.` })
  )
]).pipe(
  Schema.decodeTo(
    Schema.Array(EmailAddress).check(
      Schema.isMaxLength(recipients_max, { message: `may not have more than ${recipients_max} entries.` })
    ),
    {
      decode: SchemaGetter.transform((given) => distinct(typeof given === "string" ? split(given) : given)),
      encode: SchemaGetter.transform((addresses): string | ReadonlyArray<string> => addresses)
    }
  )
)

/** Clients may send the flag as a boolean or as text (rules/invoices.md, Sending). */
export const AttachPdf = Schema.Union([
  Schema.Boolean,
  Schema.Literals(["true", "false", "1", "0"]).annotate({ message: "must be true or false." })
]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((given) => given === true || given === "true" || given === "1"),
    encode: SchemaGetter.transform((attach): boolean | "true" | "false" | "1" | "0" => attach)
  })
)

export const addresses_form = "E-mail addresses: one, several separated by commas, or a list of at most 50."

export const SendBody = Schema.Struct({
  recipients: described(
    nullable(Recipients),
    `${addresses_form} Null or empty: the primary contact of the customer, or else the customer.`
  ),
  message: described(nullable(Notes), "Text of the message; null uses the standard text."),
  attach_pdf: described(nullable(AttachPdf), "If false, the message is sent without the PDF. Default: true."),
  resend: described(
    nullable(Schema.Boolean),
    "True sends again, also to recipients who may have got an earlier message that was never confirmed. Default: false."
  )
}).annotate({ identifier: "SendOptions", description: "The recipients of a document, and options for sending it." })
export type SendBody = typeof SendBody.Type

export const Delivery = Schema.Struct({
  recipient: described(Schema.String, "E-mail address of the recipient."),
  status: described(
    Schema.Literals(["accepted", "refused", "unknown", "pending"]),
    "`accepted` or `refused` by the mail server; `unknown`: the server got the message and did not answer; `pending`: not sent yet, the service tries it again at `retry_at`."
  ),
  code: described(Schema.optionalKey(StoredMailFailureCode), "Why the message was not accepted; absent if it was."),
  error: described(
    Schema.optionalKey(Schema.String),
    "Explanation, or what the mail server answered; absent if the message was accepted.",
    "550 mailbox unknown"
  ),
  retry_at: described(
    Schema.optionalKey(Timestamp),
    "When the service tries a message again that the mail server refused for now; absent if it does not."
  )
}).annotate({ identifier: "RecipientDelivery", description: "The result of the delivery to one recipient." })
export type Delivery = typeof Delivery.Type

/** Adds the deliveries that an event reports to its data, beside the record. */
export const withDeliveries = <Event extends { readonly data: object }>(
  event: Event,
  deliveries: ReadonlyArray<Delivery>
) => ({ ...event, data: { ...event.data, deliveries } })

export const DocumentDelivery = Schema.Struct({
  ...Delivery.fields,
  updated_at: described(Timestamp, "When this result was recorded.")
}).annotate({
  identifier: "DocumentDelivery",
  description: "The latest delivery of a document to one recipient."
})
export type DocumentDelivery = typeof DocumentDelivery.Type
