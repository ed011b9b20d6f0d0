import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { InvitationMailsRepo } from "./InvitationMailsRepo.ts"

export const purgeInvitationMails = Effect.fn("purgeInvitationMails")(function* () {
  const repo = yield* InvitationMailsRepo
  return yield* repo.purge
}, Effect.provide(InvitationMailsRepo.layer))

export const InvitationMailsPurgeWorker = timed({
  name: "invitation_mails.purge",
  every: "1 hour",
  run: Effect.suspend(purgeInvitationMails)
})
