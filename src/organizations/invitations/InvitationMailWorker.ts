import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { repeatedOnce } from "../../platform/mail/Mailer.ts"
import { InvitationMail } from "./InvitationMail.ts"
import { InvitationMailQueue } from "./InvitationMailQueue.ts"

export const InvitationMailWorker = Layer.unwrap(
  Effect.map(InvitationMail, (mail) =>
    worker(InvitationMailQueue, (job, { attempt }) => repeatedOnce(attempt)(mail.deliver(job)))
  )
).pipe(Layer.provide(InvitationMail.layer))
