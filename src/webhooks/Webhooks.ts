import { Context, DateTime, Effect, Layer, Option, Struct } from "effect"
import type { PageRows } from "../kernel/Envelope.ts"
import { timestampOf } from "../kernel/Calendar.ts"
import type { WebhookId } from "../kernel/Ids.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { changesTo, isUnchanged } from "../kernel/Changes.ts"
import { sameSecret } from "../platform/crypto/Opaque.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { newSigningSecret } from "../platform/crypto/WebhookSignature.ts"
import { Members } from "../organizations/members/Members.ts"
import { AuditLog, type Entry } from "../platform/events/AuditLog.ts"
import { type Forbidden, Unauthenticated } from "../platform/http/Refusals.ts"
import { requireVersion } from "../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { Outbound } from "../platform/outbound/Outbound.ts"
import { Database } from "../platform/sql/Database.ts"
import { isDelivered } from "./deliveries/Attempt.ts"
import { Deliveries } from "./deliveries/Deliveries.ts"
import {
  type NewWebhook,
  type RotatedWebhook,
  type RotateSecret,
  type TestResult,
  type Webhook,
  type WebhookChanges,
  type WebhookDraft,
  webhookEvent,
  type WrittenWebhook
} from "./subscriptions/Webhook.ts"
import { TooManyWebhooks, WebhookDeliveryFailed } from "./subscriptions/WebhookErrors.ts"
import { secretContext, secretHint, stillSigning } from "./subscriptions/WebhookSecret.ts"
import { type StoredWebhook, WebhooksRepo, type WebhooksRequest } from "./subscriptions/WebhooksRepo.ts"

const webhooks_max = 50
/** Time for which an old secret remains valid after a rotation, so that the receiver can adopt the new one. */
const overlap_hours = 24
/**
 * Maximum number of earlier secrets, each of which adds a signature to every message. A further rotation drops the
 * oldest.
 */
const previous_secrets_max = 10

type AccessEnded = Unauthenticated | Forbidden

export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly get: (id: WebhookId) => Effect.Effect<Webhook, NotFound, CurrentOrganization>
    readonly list: (request: WebhooksRequest) => Effect.Effect<PageRows<Webhook>, never, CurrentOrganization>
    /**
     * Writes that give or use an address fail with Unauthenticated if the access of the caller's application has ended
     * since the request arrived, and with Forbidden if the caller may no longer manage webhooks.
     */
    readonly create: (
      draft: WebhookDraft
    ) => Effect.Effect<NewWebhook, ValidationFailed | TooManyWebhooks | AccessEnded, Caller>
    /**
     * Activating a webhook clears the reason of its deactivation. A third-party application that activates a webhook or
     * changes its URL becomes its creator, so that the webhook ends with the access of this application.
     */
    readonly update: (
      id: WebhookId,
      changes: WebhookChanges
    ) => Effect.Effect<WrittenWebhook, NotFound | ValidationFailed | PreconditionFailed | AccessEnded, Caller>
    readonly remove: (id: WebhookId) => Effect.Effect<{ readonly id: WebhookId }, NotFound | PreconditionFailed, Caller>
    /**
     * Locks the webhooks. Must run before the transaction's first audit entry: webhooks are locked before the audit
     * log.
     */
    readonly hold: (ids: ReadonlyArray<WebhookId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly rotateSecret: (
      id: WebhookId,
      body: RotateSecret
    ) => Effect.Effect<RotatedWebhook, NotFound | PreconditionFailed | AccessEnded, Caller>
    /** Sends one signed message immediately, even if the webhook is inactive. */
    readonly test: (id: WebhookId) => Effect.Effect<TestResult, NotFound | WebhookDeliveryFailed | AccessEnded, Caller>
  }
>()("invoicing/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* WebhooksRepo
      const deliveries = yield* Deliveries
      const members = yield* Members
      const outbound = yield* Outbound
      const box = yield* SecretBox
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const find = Effect.fnUntraced(function* (id: WebhookId) {
        yield* Effect.annotateCurrentSpan({ "webhook.id": id })
        const organization = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id: organization.id, id }))
      })

      const get = Effect.fn("Webhooks.get")((id: WebhookId) => Effect.map(find(id), shown))

      const list = Effect.fn("Webhooks.list")(function* (request: WebhooksRequest) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.list(organization_id, request)
      })

      const lock = Effect.fnUntraced(function* (id: WebhookId) {
        yield* Effect.annotateCurrentSpan({ "webhook.id": id })
        const organization = yield* CurrentOrganization
        const webhook = yield* orNotFound(repo.lock({ organization_id: organization.id, id }))
        yield* requireVersion(webhook.version)
        return webhook
      })

      /** Must run before the lock of a webhook: the end of an access locks the credentials and the member first. */
      const holdAccess = Effect.gen(function* () {
        const { token_id } = yield* CurrentPrincipal
        if (Option.isNone(yield* repo.holdAccess(token_id))) return yield* Unauthenticated.of()
        yield* members.holdPermission("webhooks.manage")
      })

      const checkUrl = Effect.fnUntraced(function* (url: string) {
        const refusal = outbound.refusal(url)
        if (Option.isSome(refusal)) return yield* ValidationFailed.of({ url: [refusal.value] })
      })

      const record = Effect.fnUntraced(function* (
        action: string,
        webhook_id: WebhookId,
        events: NonNullable<Entry["events"]> = []
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { actor } = yield* CurrentPrincipal
        yield* auditLog.append({ organization_id, actor, action, data: { webhook_id }, events })
      })

      const withWarnings = Effect.fnUntraced(function* (webhook: Webhook) {
        const { id: organization_id } = yield* CurrentOrganization
        const twin = yield* repo.findTwin({ organization_id, ...webhook })
        return Option.isNone(twin) ? webhook : { ...webhook, warnings: ["duplicate_webhook" as const] }
      })

      const create = Effect.fn("Webhooks.create")(function* (draft: WebhookDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const { client_id, user_id } = yield* CurrentPrincipal
        yield* holdAccess
        yield* checkUrl(draft.url)
        const count = yield* repo.countBeforeInsert(organization_id)
        if (count >= webhooks_max) return yield* TooManyWebhooks.of(webhooks_max)
        const id = yield* repo.nextId
        const secret = draft.secret ?? (yield* newSigningSecret)
        const webhook = yield* repo.insert({
          organization_id,
          id,
          url: draft.url,
          events: draft.events,
          description: draft.description ?? null,
          is_active: draft.is_active ?? true,
          secret: yield* box.seal(secret, secretContext(organization_id, id)),
          secret_hint: secretHint(secret),
          created_by: user_id,
          client_id
        })
        yield* record("webhook.created", id)
        return { ...(yield* withWarnings(webhook)), secret }
      }, transaction)

      const requireCurrentSecret = Effect.fnUntraced(function* ({ id, secret }: StoredWebhook, sent: string) {
        const { id: organization_id } = yield* CurrentOrganization
        const current = yield* box.open(secret, secretContext(organization_id, id))
        if (!sameSecret(sent, current)) return yield* ValidationFailed.field("secret", "cannot be changed.")
      })

      const update = Effect.fn("Webhooks.update")(function* (id: WebhookId, { secret, ...sent }: WebhookChanges) {
        const { id: organization_id } = yield* CurrentOrganization
        const { client_id, user_id: created_by } = yield* CurrentPrincipal
        yield* holdAccess
        const locked = yield* lock(id)
        if (secret !== undefined) yield* requireCurrentSecret(locked, secret)
        const stored = shown(locked)
        const changes = yield* changesTo(stored, sent)
        if (isUnchanged(changes)) return yield* withWarnings(stored)
        const { is_active = stored.is_active, url = stored.url } = changes
        if (url !== stored.url) yield* checkUrl(url)
        const isRedirected = url !== stored.url || (is_active && !stored.is_active)
        if (isRedirected) yield* repo.assign({ organization_id, id, created_by, client_id })
        const webhook = yield* repo.save({
          organization_id,
          ...stored,
          url,
          is_active,
          events: changes.events ?? stored.events,
          description: changes.description === undefined ? stored.description : changes.description,
          disabled_reason: is_active ? null : stored.disabled_reason
        })
        yield* record("webhook.updated", id)
        return yield* withWarnings(webhook)
      }, transaction)

      const remove = Effect.fn("Webhooks.remove")(function* (id: WebhookId) {
        const { id: organization_id } = yield* CurrentOrganization
        const stored = shown(yield* lock(id))
        yield* repo.remove({ organization_id, id })
        yield* record("webhook.deleted", id, [yield* webhookEvent("webhook.deleted", stored)])
        return { id }
      }, transaction)

      const hold = Effect.fn("Webhooks.hold")(function* (ids: ReadonlyArray<WebhookId>) {
        const { id: organization_id } = yield* CurrentOrganization
        if (ids.length > 0) yield* repo.lockAll({ organization_id, ids })
      })

      const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (id: WebhookId, body: RotateSecret) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* holdAccess
        const stored = yield* lock(id)
        const secret = body.secret ?? (yield* newSigningSecret)
        const at = yield* DateTime.now
        const until = timestampOf(DateTime.add(at, { hours: overlap_hours }))
        const earlier = stillSigning(stored.previous_secrets, timestampOf(at))
        const webhook = yield* repo.saveSecret({
          organization_id,
          id,
          secret: yield* box.seal(secret, secretContext(organization_id, id)),
          secret_hint: secretHint(secret),
          previous_secrets: [{ secret: stored.secret, until }, ...earlier].slice(0, previous_secrets_max)
        })
        yield* record("webhook.secret_rotated", id)
        return { ...webhook, secret, previous_secret_expires_at: until }
      }, transaction)

      const test = Effect.fn("Webhooks.test")(function* (id: WebhookId) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* transaction(holdAccess)
        const stored = yield* find(id)
        const reply = yield* deliveries.test({ ...stored, organization_id, webhook_id: id }, shown(stored))
        yield* record("webhook.tested", id)
        if (reply.response_status === null) return yield* WebhookDeliveryFailed.of(reply.error ?? no_answer)
        const { duration_ms, response_status } = reply
        return { delivered: isDelivered(reply), response_status, duration_ms }
      })

      return Webhooks.of({ get, list, create, update, remove, hold, rotateSecret, test })
    })
  ).pipe(Layer.provide([WebhooksRepo.layer, Deliveries.layer, Members.layer]))
}

const no_answer = "The address did not answer."

const shown = (webhook: StoredWebhook): Webhook => Struct.omit(webhook, ["secret", "previous_secrets"])
