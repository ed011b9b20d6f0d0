import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { InvitationMail } from "./InvitationMail.ts"
import { InvitationMailQueue } from "./InvitationMailQueue.ts"

export const InvitationMailWorker = Layer.unwrap(
  Effect.map(InvitationMail, (mail) => worker(InvitationMailQueue, mail.deliver))
).pipe(Layer.provide(InvitationMail.layer))
