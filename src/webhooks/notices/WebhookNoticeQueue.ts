import { Schema } from "effect"
import { OrganizationId, UserId, WebhookId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { DisabledReason } from "../subscriptions/Webhook.ts"

/** The attempts take nearly one day, to outlast outages of mail servers. */
export const WebhookNoticeQueue = job({
  name: "webhooks.notice",
  payload: Schema.Struct({
    organization_id: OrganizationId,
    webhook_id: WebhookId,
    /** Version of the webhook that was deactivated. It is part of the Message-ID. */
    version: Schema.Int,
    reason: DisabledReason,
    user_id: UserId,
    recipient: Schema.Literals(["creator", "owner"])
  }),
  attempts_max: 30,
  back_off: backOff("10 seconds", "1 hour"),
  concurrency: 2,
  time_limit: "2 minutes"
})
export type WebhookNotice = (typeof WebhookNoticeQueue)["payload"]["Type"]
