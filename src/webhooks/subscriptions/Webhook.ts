import { Schema, SchemaGetter, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EventName } from "../../kernel/EventName.ts"
import { Flag } from "../../kernel/Flag.ts"
import { ClientId, UserId, WebhookId } from "../../kernel/Ids.ts"
import { storedWord } from "../../kernel/StoredWord.ts"
import { isMinCharacters, Line, Notes, nullable, Text, unlessNull } from "../../kernel/Text.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { hasStandardPrefix, isStandardSecret } from "../../platform/crypto/SigningSecret.ts"

/** Subscribes to every event, including future ones. */
export const every_event = "*"

const Subscribable = Schema.Literals([...EventName.literals, every_event])

/** Days of uninterrupted failures after which a webhook is deactivated. */
export const failing_days_max = 5

export const DisabledReason = Schema.Literals(["gone", "failing", "disconnected"])
export type DisabledReason = typeof DisabledReason.Type

const StoredReason = storedWord(DisabledReason.literals).annotate({
  identifier: "DisabledReason",
  description:
    "Why the service switched a webhook off. `gone`: its address answered 410; `failing`: deliveries failed for days; " +
    "`disconnected`: the access of the third-party application in `client` has ended, other than by expiry."
})

const Creator = Schema.Struct({
  user_id: described(UserId, "Id of the user."),
  name: described(Schema.String, "Name of the user.")
}).annotate({ identifier: "WebhookCreator", description: "The user who created a webhook." })

const CreatingClient = Schema.Struct({
  client_id: described(ClientId, "Id of the application."),
  name: described(Schema.String, "Name of the application.")
}).annotate({ identifier: "WebhookClient", description: "The application with which a webhook was created." })

/** A webhook without its secret. Clients see the secret only when they create the webhook or rotate the secret. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  url: described(Schema.String, "HTTPS address that receives the events."),
  description: described(Schema.NullOr(Schema.String), "Free text for your own use; null if there is none."),
  events: described(
    Schema.Array(storedWord(Subscribable.literals)),
    "Names of the events that are delivered; `*` for all, including those of later versions."
  ),
  is_active: described(
    Schema.Boolean,
    "False if nothing is delivered, because the webhook was switched off or because deliveries failed for days."
  ),
  disabled_reason: described(
    Schema.NullOr(StoredReason),
    "Why the service switched the webhook off; null if it did not."
  ),
  secret_hint: described(Schema.String, "The last characters of the secret, to distinguish secrets."),
  created_by: described(
    Schema.NullOr(Creator),
    "The user who created the webhook; null if an API token of the organization did, or before this was recorded. " +
      "If `client` is a third-party application, the user with whose access it last set the URL or switched the webhook on."
  ),
  client: described(
    Schema.NullOr(CreatingClient),
    "The OAuth application with which the user created the webhook, or the third-party application that last set its " +
      "URL or switched it on; null if a token without an application created it."
  ),
  ...recordFields
}).annotate({ identifier: "Webhook", description: "One of your addresses that receives events." })
export type Webhook = typeof Webhook.Type

export const webhookEvent = recordEvent("webhook", Webhook)

const warnings = {
  warnings: described(
    Schema.optionalKey(Schema.Array(Schema.Literal("duplicate_webhook"))),
    "`duplicate_webhook`: another webhook has the same address and events. Absent if there is no warning."
  )
}

export const WrittenWebhook = Schema.Struct({ ...Webhook.fields, ...warnings }).annotate({
  identifier: "WrittenWebhook",
  description: "A webhook with warnings about the request."
})
export type WrittenWebhook = typeof WrittenWebhook.Type

export const NewWebhook = Schema.Struct({
  ...WrittenWebhook.fields,
  secret: described(Schema.String, "Secret that signs the messages. Keep it: no other answer shows it.")
}).annotate({
  identifier: "NewWebhook",
  description: "A webhook with its secret, which no other answer shows."
})
export type NewWebhook = typeof NewWebhook.Type

export const RotatedWebhook = Schema.Struct({
  ...Webhook.fields,
  secret: described(Schema.String, "Secret that signs the messages. It is shown only in this answer."),
  previous_secret_expires_at: described(
    Timestamp,
    "Until then, messages also have a signature with the previous secret."
  )
}).annotate({ identifier: "RotatedWebhook", description: "A webhook with its new secret." })
export type RotatedWebhook = typeof RotatedWebhook.Type

const url_characters_max = 2_048
const secret_characters_min = 16

/** A secret with the prefix `whsec_` is a key in base64 (Standard Webhooks); any other text is the key itself. */
const Secret = Line.check(
  isMinCharacters(secret_characters_min),
  Schema.makeFilter<string>((secret) => !hasStandardPrefix(secret) || isStandardSecret(secret), {
    message: "must be base64 with padding after whsec_, or have another beginning."
  })
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
  url: described(
    Text(url_characters_max),
    "HTTPS address that will receive the events; private addresses are refused."
  ),
  events: described(Events, "Names of events, or `*` for all."),
  secret: described(
    nullable(Secret),
    "Secret of at least 16 characters; null makes one. With the prefix `whsec_`, the rest must be a key in base64."
  ),
  description: described(nullable(Notes), "Note for people."),
  is_active: described(nullable(Schema.Boolean), "If false, the webhook is created switched off. Default: true.")
}).annotate({ identifier: "WebhookDraft", description: "A webhook to be created." })
export type WebhookDraft = typeof WebhookDraft.Type

export const WebhookChanges = Schema.Struct({
  ...Struct.map(Struct.pick(WebhookDraft.fields, ["url", "events"]), Schema.optionalKey),
  description: WebhookDraft.fields.description,
  is_active: described(
    unlessNull(Schema.Boolean),
    "If true, a webhook that was switched off is started again; deliveries continue with the next event. Null changes nothing."
  ),
  // Rotation has an endpoint, which also keeps the old secret valid for a day.
  secret: described(
    unlessNull(Line),
    "Only the current secret, or null; the operation that rotates the secret changes it."
  )
}).annotate({
  identifier: "WebhookChanges",
  description: "The fields of a webhook to change; others are kept."
})
export type WebhookChanges = typeof WebhookChanges.Type

export const RotateSecret = Schema.Struct({
  secret: described(nullable(Secret), "The new secret, by the same rules as that of a new webhook; null makes one.")
}).annotate({ identifier: "RotateWebhookSecret", description: "The new secret of a webhook." })
export type RotateSecret = typeof RotateSecret.Type

export const webhookFilter = {
  event: described(
    Schema.optionalKey(EventName.annotate({ message: "must be an event of the catalog." })),
    "Only webhooks that receive this event."
  ),
  active: described(Schema.optionalKey(Flag), "Only webhooks that are switched on (`true`) or off (`false`).")
}

export const TestResult = Schema.Struct({
  delivered: described(Schema.Boolean, "True if the address answered with 2xx."),
  response_status: described(Schema.Int, "HTTP status that the address answered."),
  duration_ms: described(Schema.Int, "Time until the answer, in milliseconds.")
}).annotate({ identifier: "WebhookTestResult", description: "What the address answered to the test message." })
export type TestResult = typeof TestResult.Type
