import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { MailRetries } from "./MailRetries.ts"
import { MailRetryQueue } from "./MailRetryQueue.ts"

export const MailRetriesWorker = Layer.unwrap(
  Effect.map(MailRetries, ({ enqueueDue, retry }) =>
    Layer.merge(
      worker(MailRetryQueue, retry),
      timed({ name: "billing.mail-retries-due", every: "1 minute", run: enqueueDue })
    )
  )
).pipe(Layer.provide(MailRetries.layer))
