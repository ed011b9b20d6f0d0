import { Context, Effect, Layer, Option } from "effect"
import type { OrganizationId, UserId, WebhookId } from "../../kernel/Ids.ts"
import { holds } from "../../organizations/access/Permission.ts"
import { Members } from "../../organizations/members/Members.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import type { DisabledReason } from "../subscriptions/Webhook.ts"
import { type WebhookNotice, WebhookNoticeQueue } from "./WebhookNoticeQueue.ts"

interface Deactivation {
  readonly organization_id: OrganizationId
  readonly webhook_id: WebhookId
  readonly version: number
  readonly reason: DisabledReason
}

/** Notifies people when the service deactivates a webhook, once for each deactivation. */
export class WebhookNotices extends Context.Service<
  WebhookNotices,
  {
    /**
     * Enqueues a mail to the creator of the webhook, in the transaction that deactivates it. If the creator is unknown
     * or may no longer manage webhooks of the organization, its owners get the mail.
     */
    readonly enqueue: (deactivation: Deactivation, created_by: UserId | null) => Effect.Effect<void>
    readonly enqueueForOwners: (deactivation: Deactivation) => Effect.Effect<void>
  }
>()("invoicing/webhooks/notices/WebhookNotices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const members = yield* Members
      const jobs = yield* Jobs

      const offer = (notice: WebhookNotice) =>
        jobs.offer(WebhookNoticeQueue, notice, { id: `${notice.webhook_id}:${notice.version}:${notice.user_id}` })

      const enqueueForOwners = Effect.fn("WebhookNotices.enqueueForOwners")(function* (deactivation: Deactivation) {
        for (const { id } of yield* members.ownersOf(deactivation.organization_id)) {
          yield* offer({ ...deactivation, user_id: id, recipient: "owner" })
        }
      })

      const enqueue = Effect.fn("WebhookNotices.enqueue")(function* (
        deactivation: Deactivation,
        created_by: UserId | null
      ) {
        if (created_by === null) return yield* enqueueForOwners(deactivation)
        const { organization_id } = deactivation
        const creator = yield* Effect.option(members.find({ organization_id, user_id: created_by }))
        const isManager = Option.exists(
          creator,
          ({ role, status }) => status === "active" && holds(role, "webhooks.manage")
        )
        yield* isManager
          ? offer({ ...deactivation, user_id: created_by, recipient: "creator" })
          : enqueueForOwners(deactivation)
      })

      return WebhookNotices.of({ enqueue, enqueueForOwners })
    })
  ).pipe(Layer.provide(Members.layer))
}
