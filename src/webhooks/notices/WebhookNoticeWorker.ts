import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { repeatedOnce } from "../../platform/mail/Mailer.ts"
import { WebhookNoticeMail } from "./WebhookNoticeMail.ts"
import { WebhookNoticeQueue } from "./WebhookNoticeQueue.ts"

export const WebhookNoticeWorker = Layer.unwrap(
  Effect.map(WebhookNoticeMail, (mail) =>
    worker(WebhookNoticeQueue, (notice, { attempt }) => repeatedOnce(attempt)(mail.deliver(notice)))
  )
).pipe(Layer.provide(WebhookNoticeMail.layer))
