import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, page, pageQuery, removed } from "../kernel/Envelope.ts"
import { inText, WebhookId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { optionalBody, UsesOtherSystems } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { Attempt } from "./deliveries/Attempt.ts"
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
} from "./Webhook.ts"
import { TooManyWebhooks, WebhookDeliveryFailed } from "./WebhookErrors.ts"

const params = { id: inText(WebhookId) }

/** Implements the spec's "Endpoints: Webhook subscriptions". */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", { query: { ...pageQuery, ...webhookFilter }, success: page(Webhook) }),
    HttpApiEndpoint.post("create", "/", {
      payload: WebhookDraft,
      success: created(NewWebhook),
      error: [ValidationFailed, TooManyWebhooks]
    }),
    HttpApiEndpoint.get("events", "/events", { success: data(Schema.Array(CatalogItem)) }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Webhook), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: WebhookChanges,
      success: data(WrittenWebhook),
      error: [NotFound, ValidationFailed, PreconditionFailed]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(WebhookId),
      error: [NotFound, PreconditionFailed]
    }),
    HttpApiEndpoint.get("logs", "/:id/logs", { params, query: pageQuery, success: page(Attempt), error: NotFound }),
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      success: data(TestResult),
      error: [NotFound, WebhookDeliveryFailed]
    }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      params,
      payload: optionalBody(RotateSecret),
      success: data(RotatedWebhook),
      error: [NotFound, PreconditionFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/webhooks") {}
