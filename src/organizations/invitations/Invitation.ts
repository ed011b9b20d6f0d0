import { Data, Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"

export const Invitation = Schema.Struct({
  organization_id: OrganizationId,
  organization_name: Schema.String,
  user_id: UserId,
  /** The address to which the link was sent, although the user may have changed the address of the account since. */
  email: Schema.String,
  role: Role,
  state: Schema.Literals(["open", "expired", "accepted"])
})
export type Invitation = typeof Invitation.Type

/** The link is not valid: it is unknown or was replaced by another, has expired, or was used already. */
export class InvitationGone extends Data.TaggedError("InvitationGone")<{
  readonly reason: "unknown" | "expired" | "accepted"
}> {}
