import { Option, Schema, SchemaGetter } from "effect"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { refusal } from "../../kernel/Refusal.ts"
import { Notes } from "../../kernel/Text.ts"

export const recipients_max = 50
const recipients_text_max = recipients_max * 256

const split = (text: string) => text.split(",").flatMap((address) => address.trim() || [])

/** One message goes to each address, however often it is named. */
const distinct = (addresses: ReadonlyArray<string>) => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()
]

/** One address, several with commas between them, or a list; nothing asks for the usual recipient. */
const Recipients = Schema.Union([
  Schema.String.check(
    Schema.isMaxLength(recipients_text_max, { message: `may not be longer than ${recipients_text_max} characters.` })
  ),
  Schema.Array(Schema.String)
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

/** Contract section 17: clients send it as a boolean and as text. */
export const AttachPdf = Schema.Union([Schema.Boolean, Schema.Literals(["true", "false", "1", "0"])]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((given) => given === true || given === "true" || given === "1"),
    encode: SchemaGetter.transform((attach): boolean | "true" | "false" | "1" | "0" => attach)
  })
)

const optional = <S extends Schema.Codec<unknown, unknown>>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Body of every `send`. Without recipients it goes to the primary contact or the customer; the PDF goes with it. */
export const SendBody = Schema.Struct({
  recipients: optional(Recipients),
  message: optional(Notes),
  attach_pdf: optional(AttachPdf)
})
export type SendBody = typeof SendBody.Type

/** What became of the message to one recipient. */
export const Delivery = Schema.Struct({
  recipient: Schema.String,
  status: Schema.Literals(["delivered", "failed"]),
  /** The mail server's words: `550 mailbox unknown`. */
  error: Schema.optionalKey(Schema.String)
})
export type Delivery = typeof Delivery.Type

export const isDelivered = ({ status }: Delivery): boolean => status === "delivered"

export class NoRecipient extends Schema.Error<NoRecipient>("NoRecipient")(refusal("NoRecipient", "no_recipient"), {
  httpApiStatus: 422
}) {
  static of() {
    return new NoRecipient({ message: "Neither the request nor the customer names an email address to send to." })
  }
}

/** Nobody got it. The number is told when it could not be given back. */
export class DeliveryFailed extends Schema.Error<DeliveryFailed>("DeliveryFailed")(
  {
    ...refusal("DeliveryFailed", "delivery_failed"),
    errors: Schema.Record(Schema.String, Schema.Array(Schema.String)),
    details: Schema.optionalKey(Schema.Struct({ number: Schema.String }))
  },
  { httpApiStatus: 422 }
) {
  /** `document`: "invoice", "quote" or "credit note". */
  static of(document: string, deliveries: ReadonlyArray<Delivery>, number: Option.Option<string> = Option.none()) {
    const errors = deliveries.flatMap(({ error, recipient }, index) =>
      error === undefined ? [] : [[`recipients.${index}`, [`${recipient}: ${error}`]] as const]
    )
    return new DeliveryFailed({
      message: `The ${document} could not be delivered to any recipient.`,
      errors: Object.fromEntries(errors),
      ...Option.match(number, { onNone: () => ({}), onSome: (number) => ({ details: { number } }) })
    })
  }
}

/** Two sends of one document at once would both number it and both write to its recipients. */
export class SendInProgress extends Schema.Error<SendInProgress>("SendInProgress")(
  refusal("SendInProgress", "send_in_progress"),
  { httpApiStatus: 409 }
) {
  static of() {
    return new SendInProgress({ message: "This document is being sent right now." })
  }
}
