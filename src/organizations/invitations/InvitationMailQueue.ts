import { Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/**
 * Sends the mail of one invitation. The attempts bridge outages of mail servers, so they take nearly one day of the
 * week for which the invitation is valid.
 */
export const InvitationMailQueue = job({
  name: "invitations.mail",
  payload: Schema.Struct({
    organization_id: OrganizationId,
    user_id: UserId,
    /** The link's encrypted token; otherwise the database holds only its hash. */
    sealed_token: Schema.String
  }),
  attempts_max: 30,
  back_off: backOff("10 seconds", "1 hour"),
  concurrency: 4,
  time_limit: "2 minutes"
})
export type InvitationOrder = (typeof InvitationMailQueue)["payload"]["Type"]
