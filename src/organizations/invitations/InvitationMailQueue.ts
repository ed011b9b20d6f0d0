import { Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/**
 * The mail of one invitation. Its attempts are for mail servers that are down or ask to come later, and so spread over
 * nearly a day of the week that the invitation is open.
 */
export const InvitationMailQueue = job({
  name: "invitations.mail",
  payload: Schema.Struct({
    organization_id: OrganizationId,
    user_id: UserId,
    /** The token of the link, which the database holds no other way than as a hash. */
    sealed_token: Schema.String
  }),
  attempts_max: 30,
  back_off: backOff("10 seconds", "1 hour"),
  concurrency: 4,
  time_limit: "2 minutes"
})
export type InvitationOrder = (typeof InvitationMailQueue)["payload"]["Type"]
