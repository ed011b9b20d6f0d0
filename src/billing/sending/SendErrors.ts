import { Schema } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import { refusal } from "../../kernel/Refusal.ts"
import { Delivery } from "./Send.ts"
import { described } from "../../kernel/Described.ts"

export class NoRecipient extends Schema.Error<NoRecipient>("NoRecipient")(refusal("NoRecipient", "no_recipient"), {
  httpApiStatus: 422,
  description: "Neither the request nor the customer names an e-mail address; name one in `recipients`."
}) {
  static of() {
    return new NoRecipient({ message: "Neither the request nor the customer names an email address to send to." })
  }
}

export const KeptNumber = Schema.Struct({
  number: described(Schema.String, "Number of the document."),
  status: described(Schema.String, "Status of the document, which keeps its number.")
}).annotate({
  identifier: "KeptNumber",
  description:
    "A number that a failed send could not return, because later numbers are in use, because the books of the invoice's date were locked meanwhile, or because a message with the number may have arrived or may still arrive."
})
export type KeptNumber = typeof KeptNumber.Type

export class DeliveryFailed extends Schema.Error<DeliveryFailed>("DeliveryFailed")(
  {
    ...refusal("DeliveryFailed", "delivery_failed"),
    errors: described(
      Schema.Record(Schema.String, Schema.Array(Schema.String)),
      "Messages by recipient, under `recipients.0`, `recipients.1` and so on."
    ),
    deliveries: described(Schema.Array(Delivery), "Result of the delivery to each recipient."),
    details: described(
      Schema.optionalKey(KeptNumber),
      "The number that could not be returned; absent if there is none."
    )
  },
  {
    httpApiStatus: 422,
    description: "The mail server did not accept the message for any recipient; the document was not sent."
  }
) {
  static of(document: DocumentKind, deliveries: ReadonlyArray<Delivery>, kept: KeptNumber | null) {
    const errors = deliveries.flatMap(({ error, recipient }, index) =>
      error === undefined ? [] : [[`recipients.${index}`, [`${recipient}: ${error}`]] as const]
    )
    const message = `The ${names[document]} could not be delivered to any recipient.`
    const told = kept === null ? { message } : { message: `${message} ${keptAs(kept)}`, details: kept }
    return new DeliveryFailed({ errors: Object.fromEntries(errors), deliveries, ...told })
  }
}

const names: Readonly<Record<DocumentKind, string>> = {
  invoice: "invoice",
  quote: "quote",
  credit_note: "credit note"
}

const keptAs = ({ number, status }: KeptNumber): string =>
  status === "draft" ? `It is a draft, and keeps the number ${number}.` : `It stays issued, as ${number}.`

export class SendInProgress extends Schema.Error<SendInProgress>("SendInProgress")(
  refusal("SendInProgress", "send_in_progress"),
  { httpApiStatus: 409, description: "Another request is sending the document; wait for its answer." }
) {
  static of() {
    return new SendInProgress({ message: "Another request is sending this document." })
  }
}
