import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { repeatedOnce } from "../../platform/mail/Mailer.ts"
import { AccountMail } from "./AccountMail.ts"
import { AccountMailQueue } from "./AccountMailQueue.ts"

export const AccountMailWorker = Layer.unwrap(
  Effect.map(AccountMail, (mail) =>
    worker(AccountMailQueue, (job, { attempt }) => repeatedOnce(attempt)(mail.deliver(job)))
  )
).pipe(Layer.provide(AccountMail.layer))
