import { Context, Effect, Layer, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import { WebhookNotices } from "../notices/WebhookNotices.ts"
import { DisconnectionsRepo } from "./DisconnectionsRepo.ts"

/** Records the webhooks that were deactivated because the access of their application has ended. */
export class Disconnections extends Context.Service<
  Disconnections,
  {
    /**
     * Writes the audit entries and enqueues the mails about all webhooks that are not recorded yet. If this fails for an
     * organization, it is done for the others, and then fails.
     */
    readonly record: Effect.Effect<void>
  }
>()("invoicing/webhooks/disconnections/Disconnections") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DisconnectionsRepo
      const notices = yield* WebhookNotices
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const recordOf = Effect.fn("Disconnections.recordOf")(function* (organization_id: OrganizationId) {
        const reason = "disconnected"
        for (const { client_id, created_by, id: webhook_id, version } of yield* repo.take(organization_id)) {
          yield* notices.enqueue({ organization_id, webhook_id, version, reason }, created_by)
          const data = { webhook_id, reason, client_id }
          yield* auditLog.append({ organization_id, actor: "system", action: "webhook.disabled", data })
        }
      }, transaction)

      const record = Effect.gen(function* () {
        let failure: Option.Option<unknown> = Option.none()
        let organization = yield* repo.after(0)
        while (Option.isSome(organization)) {
          const { organization_id } = organization.value
          const failed = yield* recordOf(organization_id).pipe(
            Effect.as(Option.none()),
            Effect.catchDefect((defect) =>
              Effect.as(
                Effect.logError(
                  `webhooks of organization ${organization_id} are disconnected without a record`,
                  defect
                ),
                Option.some(defect)
              )
            )
          )
          failure = Option.orElse(failed, () => failure)
          organization = yield* repo.after(organization_id)
        }
        if (Option.isSome(failure)) return yield* Effect.die(failure.value)
      }).pipe(Effect.withSpan("Disconnections.record"))

      return Disconnections.of({ record })
    })
  ).pipe(Layer.provide([DisconnectionsRepo.layer, WebhookNotices.layer]))
}
