import { Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** The attempts take nearly one day, to outlast outages of mail servers; the invitation is valid for a week. */
export const InvitationMailQueue = job({
  name: "invitations.mail",
  payload: Schema.Struct({
    organization_id: OrganizationId,
    user_id: UserId,
    /** The link's encrypted token; elsewhere, the database holds only its hash. */
    sealed_token: Schema.String
  }),
  attempts_max: 30,
  back_off: backOff("10 seconds", "1 hour"),
  concurrency: 4,
  time_limit: "2 minutes"
})
export type InvitationMailJob = (typeof InvitationMailQueue)["payload"]["Type"]
