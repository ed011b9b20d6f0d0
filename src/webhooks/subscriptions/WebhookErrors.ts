import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** If the address of a tested webhook does not respond, the answer is 500 (rules/webhooks.md, Subscriptions). */
export class WebhookDeliveryFailed extends Schema.Error<WebhookDeliveryFailed>("WebhookDeliveryFailed")(
  refusal("WebhookDeliveryFailed", "webhook_delivery_failed"),
  { httpApiStatus: 500, description: "The address of the webhook did not answer the test message." }
) {
  static of(reason: string) {
    return new WebhookDeliveryFailed({ message: reason })
  }
}

/** The number of an organization's webhooks is limited, because each event is stored once per webhook. */
export class TooManyWebhooks extends Schema.Error<TooManyWebhooks>("TooManyWebhooks")(
  refusal("TooManyWebhooks", "too_many_webhooks"),
  { httpApiStatus: 422, description: "The organization has reached its maximum number of webhooks; delete one first." }
) {
  static of(webhooks_max: number) {
    return new TooManyWebhooks({ message: `An organization may not have more than ${webhooks_max} webhooks.` })
  }
}
