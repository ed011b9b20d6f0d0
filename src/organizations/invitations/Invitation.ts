import { Data, Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"

/** What the holder of a link is asked to accept. */
export const Invitation = Schema.Struct({
  organization_id: OrganizationId,
  organization_name: Schema.String,
  user_id: UserId,
  role: Role,
  state: Schema.Literals(["open", "expired", "accepted"])
})
export type Invitation = typeof Invitation.Type

/** The link leads nowhere: it never existed or was replaced, its days are over, or it was used. */
export class InvitationGone extends Data.TaggedError("InvitationGone")<{
  readonly reason: "unknown" | "expired" | "accepted"
}> {}
