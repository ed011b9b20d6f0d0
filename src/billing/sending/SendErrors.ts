import { Option, Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import type { Delivery } from "./Send.ts"

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

export class SendInProgress extends Schema.Error<SendInProgress>("SendInProgress")(
  refusal("SendInProgress", "send_in_progress"),
  { httpApiStatus: 409 }
) {
  static of() {
    return new SendInProgress({ message: "This document is being sent right now." })
  }
}
