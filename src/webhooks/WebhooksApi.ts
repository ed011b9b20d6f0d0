import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, page, pageQuery, removed } from "../kernel/Envelope.ts"
import { inText, WebhookId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../platform/http/Contract.ts"
import { Forbidden, ServerError, Unauthenticated } from "../platform/http/Refusals.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { Attempt, logQuery } from "./deliveries/Attempt.ts"
import { CatalogItem } from "./events/Event.ts"
import {
  NewWebhook,
  RotatedWebhook,
  RotateSecret,
  TestResult,
  Webhook,
  WebhookChanges,
  WebhookDraft,
  webhookFilter,
  WrittenWebhook
} from "./subscriptions/Webhook.ts"
import { TooManyWebhooks, WebhookDeliveryFailed } from "./subscriptions/WebhookErrors.ts"

const params = { id: inText(WebhookId) }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .annotateMerge(tag("Webhooks", "Your addresses that receive events, and the log of their deliveries."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...webhookFilter },
      success: page(Webhook)
    }).annotateMerge(operation("List webhooks", "Returns the webhooks, without their secrets.")),
    HttpApiEndpoint.post("create", "/", {
      payload: WebhookDraft,
      success: created(NewWebhook),
      error: [ValidationFailed, TooManyWebhooks, Unauthenticated, Forbidden]
    }).annotateMerge(
      operation(
        "Create a webhook",
        "Subscribes an HTTPS address to events. The answer shows the secret that signs the messages once. " +
          "Private addresses and unknown events are refused with 422."
      )
    ),
    HttpApiEndpoint.get("events", "/events", { success: data(Schema.Array(CatalogItem)) }).annotateMerge(
      operation("List the kinds of events", "Returns every event that a webhook can subscribe to, with an example.")
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Webhook), error: NotFound }).annotateMerge(
      operation("Get a webhook", "Returns one webhook, without its secret.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: WebhookChanges,
      success: data(WrittenWebhook),
      error: [NotFound, ValidationFailed, PreconditionFailed, Unauthenticated, Forbidden]
    }).annotateMerge(
      operation(
        "Update a webhook",
        "Changes the fields that the body has. The secret is changed by rotate-secret. `is_active: true` starts " +
          "a deactivated webhook again."
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(WebhookId),
      error: [NotFound, PreconditionFailed]
    }).annotateMerge(
      operation("Delete a webhook", "Deletes the webhook; nothing more is delivered to it.", "webhook.deleted")
    ),
    HttpApiEndpoint.get("logs", "/:id/logs", {
      params,
      query: logQuery,
      success: page(Attempt),
      error: NotFound
    }).annotateMerge(
      operation(
        "List the deliveries of a webhook",
        "Returns every attempt of the last 30 days with the answer of your address, newest first."
      )
    ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      success: data(TestResult),
      error: [NotFound, WebhookDeliveryFailed, ServerError, Unauthenticated, Forbidden]
    })
      .annotateMerge(
        operation(
          "Send a test message",
          "Sends `webhook.test` immediately and returns what your address answered. An address that cannot be reached " +
            "gives 500 `webhook_delivery_failed`."
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      params,
      payload: optionalBody(RotateSecret),
      success: data(RotatedWebhook),
      error: [NotFound, PreconditionFailed, Unauthenticated, Forbidden]
    }).annotateMerge(
      operation(
        "Rotate the secret of a webhook",
        "Makes a new secret, which only this answer shows. For 24 hours, `webhook-signature` also has a signature with the old " +
          "secret; `X-Webhook-Signature` is immediately made with the new one."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/webhooks") {}
