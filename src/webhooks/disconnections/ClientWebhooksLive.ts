import { Effect, Layer } from "effect"
import { ClientWebhooks } from "../../identity/ClientWebhooks.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { DisconnectionQueue } from "./DisconnectionQueue.ts"
import { DisconnectionsRepo } from "./DisconnectionsRepo.ts"

/** Deactivates webhooks for `src/identity` and `src/organizations` when the access of a client ends. */
export const ClientWebhooksLive = Layer.effect(
  ClientWebhooks,
  Effect.gen(function* () {
    const repo = yield* DisconnectionsRepo
    const jobs = yield* Jobs

    // A client may have webhooks in many organizations, so a job writes the audit entries and the mails later.
    const deactivate = Effect.fn("ClientWebhooks.deactivate")(function* (ended: Parameters<typeof repo.disconnect>[0]) {
      if (yield* repo.disconnect(ended)) yield* jobs.offer(DisconnectionQueue, {})
    })

    return ClientWebhooks.of({ deactivate })
  })
).pipe(Layer.provide(DisconnectionsRepo.layer))
