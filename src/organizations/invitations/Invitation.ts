import { Data, Schema } from "effect"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { refusal } from "../../kernel/Refusal.ts"
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

/** The recipient's mail server wants none of it, so nobody was invited. */
export class InvitationRefused extends Schema.Error<InvitationRefused>("InvitationRefused")(
  refusal("InvitationRefused", "invitation_refused"),
  { httpApiStatus: 422 }
) {
  static of(email: string, answer: string) {
    return new InvitationRefused({ message: `The invitation to ${email} was refused: ${answer}` })
  }
}

export class InvitationUnsent extends Schema.Error<InvitationUnsent>("InvitationUnsent")(
  refusal("InvitationUnsent", "invitation_unsent"),
  { httpApiStatus: 503 }
) {
  static of(email: string) {
    return new InvitationUnsent({ message: `The invitation to ${email} cannot be sent now. Please try again later.` })
  }
}
