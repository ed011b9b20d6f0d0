import { Effect, Layer } from "effect"
import { ClientWebhooks } from "../identity/ClientWebhooks.ts"
import { AuditLog } from "../platform/events/AuditLog.ts"
import { WebhookNotices } from "./notices/WebhookNotices.ts"
import { WebhooksRepo } from "./subscriptions/WebhooksRepo.ts"

/** Deactivates webhooks for `src/identity` when the access of a client ends. */
export const ClientWebhooksLive = Layer.effect(
  ClientWebhooks,
  Effect.gen(function* () {
    const repo = yield* WebhooksRepo
    const notices = yield* WebhookNotices
    const auditLog = yield* AuditLog

    const deactivate = Effect.fn("ClientWebhooks.deactivate")(function* (ended: Parameters<typeof repo.disconnect>[0]) {
      const webhooks = yield* repo.disconnect(ended)
      // The order of the organizations is the same in all transactions, so that they cannot deadlock.
      const ordered = webhooks.toSorted((a, b) => a.organization_id - b.organization_id || a.id - b.id)
      for (const { client_id, created_by, id: webhook_id, organization_id, version } of ordered) {
        const reason = "disconnected"
        yield* notices.order({ organization_id, webhook_id, version, reason }, created_by)
        const data = { webhook_id, reason, client_id }
        yield* auditLog.append({ organization_id, actor: "system", action: "webhook.disabled", data })
      }
    })

    return ClientWebhooks.of({ deactivate })
  })
).pipe(Layer.provide([WebhooksRepo.layer, WebhookNotices.layer]))
