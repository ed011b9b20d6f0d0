import { Clock, Context, Effect, Layer, Option, Random } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../kernel/Calendar.ts"
import type { PageRows } from "../../kernel/Envelope.ts"
import { OrganizationId, type WebhookId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { linksTo } from "../../platform/observability/TraceContext.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { removeInBatches } from "../../platform/sql/statements/Purge.ts"
import { EventArchivingQueue } from "../events/EventArchivingQueue.ts"
import { messageOf, test_event, type TestEvent } from "../events/Event.ts"
import { kept_days } from "../events/Events.ts"
import { WebhookNotices } from "../notices/WebhookNotices.ts"
import type { DisabledReason, Webhook } from "../subscriptions/Webhook.ts"
import { WebhooksRepo } from "../subscriptions/WebhooksRepo.ts"
import { type Attempt, isDelivered, isGone, type LogQuery, type Reply, unansweredReply } from "./Attempt.ts"
import { DeliveriesRepo, type DueDelivery, type DueRequest, type Finished } from "./DeliveriesRepo.ts"
import { recordAttempt, recordBacklog } from "./DeliveryMetrics.ts"
import { failing_ms_max, pauseAfter, quiet_ms_max } from "./RetrySchedule.ts"
import { Sender, type Target } from "./Sender.ts"
import { together } from "./Together.ts"

/** Maximum number of events whose deliveries one transaction creates. */
const events_max = 200
/** Maximum number of attempts that one SQL statement records. */
const finished_max = 100
/** Maximum number of waiting deliveries that are counted exactly. */
const backlog_count_max = 100_000

/** Delivers events to webhooks at least once, and records every attempt. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Creates the deliveries of the next events; returns true if further events may wait. */
    readonly relay: Effect.Effect<boolean>
    /** The caller must have leased the webhook's lane (see `Lanes`). The delivery that was due first comes first. */
    readonly due: (request: DueRequest) => Effect.Effect<ReadonlyArray<DueDelivery>>
    readonly deliver: (delivery: DueDelivery) => Effect.Effect<Reply>
    /** Sends a test message once, without retries. A test message belongs to no event. */
    readonly test: (target: Target, webhook: Webhook) => Effect.Effect<Reply>
    readonly log: (id: WebhookId, query: LogQuery) => Effect.Effect<PageRows<Attempt>, never, CurrentOrganization>
    /** Removes events, deliveries and attempts whose retention is over. */
    readonly purge: Effect.Effect<void>
    readonly measure: Effect.Effect<void>
  }
>()("invoicing/webhooks/deliveries/Deliveries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DeliveriesRepo
      const webhooks = yield* WebhooksRepo
      const notices = yield* WebhookNotices
      const sender = yield* Sender
      const auditLog = yield* AuditLog
      const jobs = yield* Jobs
      const { transaction } = yield* Database
      const { timeScale } = (yield* AppConfig).webhooks
      const finish = together<Finished>(
        (done) => repo.finish({ done, quiet_ms_max: quiet_ms_max * timeScale }),
        finished_max
      )

      const relay = Effect.gen(function* () {
        const { archived, events } = yield* repo.relay({ limit: events_max })
        for (const key of archived) {
          yield* jobs.offer(EventArchivingQueue, key, { id: `${key.organization_id}:${key.sequence}` })
        }
        return events === events_max
      }).pipe(transaction)

      const deactivate = Effect.fn("Deliveries.deactivate")(function* (delivery: DueDelivery, reason: DisabledReason) {
        const { organization_id, url, webhook_id } = delivery
        const disabled = yield* webhooks.deactivate({
          organization_id,
          id: webhook_id,
          url,
          reason,
          failing_ms_max: failing_ms_max * timeScale
        })
        if (Option.isNone(disabled)) return
        const { created_by, version } = disabled.value
        yield* notices.enqueue({ organization_id, webhook_id, version, reason }, created_by)
        const data = { webhook_id, reason }
        yield* auditLog.append({ organization_id, actor: "system", action: "webhook.disabled", data })
      }, transaction)

      const record = Effect.fnUntraced(function* (
        delivery: DueDelivery,
        reply: Reply,
        given: { readonly asked: boolean }
      ) {
        const attempt = delivery.attempts + 1
        const succeeded = isDelivered(reply)
        const isLast = succeeded || isGone(reply) || !given.asked
        const random = yield* Random.next
        const now_ms = yield* Clock.currentTimeMillis
        const pause = isLast ? null : pauseAfter({ attempt, reply, random, now_ms })
        const status = succeeded ? "delivered" : pause === null ? "exhausted" : "failed"
        const { retry_after: _, ...answer } = reply
        yield* finish({
          ...answer,
          delivery_id: delivery.id,
          event_id: delivery.event_id,
          event: delivery.type,
          attempt,
          status,
          pause_ms: pause === null ? null : pause * timeScale,
          succeeded: given.asked ? succeeded : null
        })
        if (given.asked) yield* recordAttempt(status, reply.duration_ms)
      })

      const deliver = Effect.fnUntraced(
        function* (delivery: DueDelivery) {
          // The webhook was deactivated after the delivery was created. The delivery ends only when it is due, in case
          // the webhook is activated again.
          if (!delivery.is_active) {
            yield* record(delivery, inactive, { asked: false })
            return inactive
          }
          const reply = yield* Effect.interruptible(sender.send(delivery, messageOf(delivery), delivery.attempts + 1))
          const { response_status } = reply
          yield* Effect.annotateCurrentSpan(
            response_status === null ? { "error.type": "no_answer" } : { "http.response.status_code": response_status }
          )
          yield* record(delivery, reply, { asked: true })
          if (isGone(reply)) yield* deactivate(delivery, "gone")
          else if (!isDelivered(reply) && (delivery.failing_ms ?? 0) >= failing_ms_max * timeScale) {
            yield* deactivate(delivery, "failing")
          }
          return reply
        },
        (delivering, delivery) =>
          // The response is recorded even if the process is being stopped.
          Effect.uninterruptible(delivering).pipe(
            Effect.withSpan("Deliveries.deliver", {
              root: true,
              kind: "producer",
              links: linksTo(delivery.traceparent),
              attributes: {
                "organization.id": delivery.organization_id,
                "webhook.id": delivery.webhook_id,
                "event.id": delivery.event_id,
                "event.type": delivery.type,
                "delivery.attempt": delivery.attempts + 1
              }
            })
          )
      )

      const test = Effect.fn("Deliveries.test")(function* (target: Target, webhook: Webhook) {
        const organization_id = OrganizationId.make(target.organization_id)
        const event: TestEvent = {
          id: `evt_${SecureRandom.uuidV4Unsafe().replaceAll("-", "")}`,
          type: test_event,
          event: test_event,
          timestamp: yield* now,
          organization_id,
          sequence: null,
          api_version: "v1",
          livemode: true,
          data: { object: "webhook", id: webhook.id, attributes: { ...webhook, events: [...webhook.events] } }
        }
        const message = { id: event.id, type: test_event, body: JSON.stringify(event) } as const
        const reply = yield* sender.send(target, message, 1)
        const { retry_after: _, ...answer } = reply
        yield* repo.insertAttempt({
          ...answer,
          organization_id,
          webhook_id: webhook.id,
          event_id: message.id,
          event: test_event,
          attempt: 1,
          status: isDelivered(reply) ? "delivered" : "exhausted",
          next_attempt_at: null
        })
        return reply
      })

      const log = Effect.fn("Deliveries.log")(function* (webhook_id: WebhookId, query: LogQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.log(organization_id, webhook_id, query)
      })

      const purgeAll = Effect.gen(function* () {
        yield* removeInBatches("webhook_attempts", repo.removeAttempts(kept_days))
        yield* removeInBatches("webhook_deliveries", repo.removeDeliveries(kept_days))
        yield* removeInBatches("outbox", repo.removeEvents(kept_days))
      }).pipe(Effect.withSpan("Deliveries.purge"))

      const measure = Effect.flatMap(repo.backlog({ count_max: backlog_count_max }), recordBacklog)

      return Deliveries.of({ relay, due: repo.due, deliver, test, log, purge: purgeAll, measure })
    })
  ).pipe(Layer.provide([DeliveriesRepo.layer, WebhooksRepo.layer, WebhookNotices.layer, Sender.layer]))
}

const inactive = unansweredReply("The webhook is inactive.")
