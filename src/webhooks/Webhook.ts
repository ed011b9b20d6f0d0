import { Schema, SchemaGetter, Struct } from "effect"
import { Timestamp } from "../kernel/Calendar.ts"
import { EventName } from "../kernel/EventName.ts"
import { WebhookId } from "../kernel/Ids.ts"
import { Line, Notes, nullable, Text } from "../kernel/Text.ts"

/** Subscribes to every event, including future ones. */
export const every_event = "*"

const Subscribable = Schema.Literals([...EventName.literals, every_event])

/** Why the service deactivated a webhook: its address answered 410, or deliveries failed for days. */
export const DisabledReason = Schema.Literals(["gone", "failing"]).annotate({ identifier: "DisabledReason" })
export type DisabledReason = typeof DisabledReason.Type

/** An address that receives events. Its secret is shown only when it is created or rotated. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  events: Schema.Array(Subscribable),
  is_active: Schema.Boolean,
  disabled_reason: Schema.NullOr(DisabledReason),
  secret_hint: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/** `duplicate_webhook` warns that another webhook has the same address and events, so each event arrives twice. */
const warnings = { warnings: Schema.optionalKey(Schema.Array(Schema.Literal("duplicate_webhook"))) }

export const WrittenWebhook = Schema.Struct({ ...Webhook.fields, ...warnings }).annotate({
  identifier: "WrittenWebhook"
})
export type WrittenWebhook = typeof WrittenWebhook.Type

export const NewWebhook = Schema.Struct({ ...WrittenWebhook.fields, secret: Schema.String }).annotate({
  identifier: "NewWebhook"
})
export type NewWebhook = typeof NewWebhook.Type

/** A delivery is signed with the current secret, and until `previous_secret_expires_at` also with the previous one. */
export const RotatedWebhook = Schema.Struct({
  ...Webhook.fields,
  secret: Schema.String,
  previous_secret_expires_at: Timestamp
}).annotate({ identifier: "RotatedWebhook" })
export type RotatedWebhook = typeof RotatedWebhook.Type

const url_characters_max = 2_048
const secret_characters_min = 16

/**
 * A secret with the prefix `whsec_` is a base64 key of Standard Webhooks; any other text is used as the key directly.
 */
const Secret = Line.check(
  Schema.isMinLength(secret_characters_min, { message: `must have at least ${secret_characters_min} characters.` })
)

const Events = Schema.Array(Subscribable.annotate({ message: "must be an event of the catalog or *." }))
  .check(
    Schema.isMinLength(1, { message: "must have at least 1 entry." }),
    Schema.isMaxLength(Subscribable.literals.length, {
      message: `may not have more than ${Subscribable.literals.length} entries.`
    })
  )
  .pipe(
    Schema.decodeTo(Schema.Array(Subscribable), {
      decode: SchemaGetter.transform((events) => [...new Set(events)]),
      encode: SchemaGetter.transform((events) => events)
    })
  )

export const WebhookDraft = Schema.Struct({
  url: Text(url_characters_max),
  events: Events,
  secret: nullable(Secret),
  description: nullable(Notes),
  is_active: nullable(Schema.Boolean)
}).annotate({ identifier: "WebhookDraft" })
export type WebhookDraft = typeof WebhookDraft.Type

export const WebhookChanges = Schema.Struct({
  ...Struct.map(Struct.pick(WebhookDraft.fields, ["url", "events"]), Schema.optionalKey),
  description: WebhookDraft.fields.description,
  is_active: Schema.optionalKey(Schema.Boolean),
  // The secret has its own endpoint, which keeps the old secret valid for a day.
  secret: Schema.optionalKey(Schema.Never)
}).annotate({ identifier: "WebhookChanges" })
export type WebhookChanges = typeof WebhookChanges.Type

export const RotateSecret = Schema.Struct({ secret: nullable(Secret) }).annotate({ identifier: "RotateWebhookSecret" })
export type RotateSecret = typeof RotateSecret.Type

const Flag = Schema.Literals(["true", "false", "1", "0"]).annotate({ message: "must be true or false." })

export const webhookFilter = {
  /** Filters the webhooks that receive this event. */
  event: Schema.optionalKey(EventName.annotate({ message: "must be an event of the catalog." })),
  active: Schema.optionalKey(
    Flag.pipe(
      Schema.decodeTo(Schema.Boolean, {
        decode: SchemaGetter.transform((text) => text === "true" || text === "1"),
        encode: SchemaGetter.transform((flag): typeof Flag.Type => (flag ? "true" : "false"))
      })
    )
  )
}

/** The result of a signed test message; `delivered` is true when the address answered with 2xx. */
export const TestResult = Schema.Struct({
  delivered: Schema.Boolean,
  response_status: Schema.Int,
  duration_ms: Schema.Int
}).annotate({ identifier: "WebhookTestResult" })
export type TestResult = typeof TestResult.Type
