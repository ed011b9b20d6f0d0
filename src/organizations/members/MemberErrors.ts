import { Data, Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

export class AlreadyMember extends Schema.Error<AlreadyMember>("AlreadyMember")(
  refusal("AlreadyMember", "already_member"),
  { httpApiStatus: 422, description: "The person is already a member of the organization." }
) {
  static of() {
    return new AlreadyMember({ message: "This person is already a member of the organization." })
  }
}

export class InvitationsThrottled extends Data.TaggedError("InvitationsThrottled")<{
  readonly retry_after_seconds: number
}> {}

/** Every 429 has this body (rules/conventions.md, Errors). */
export class TooManyInvitations extends Schema.Error<TooManyInvitations>("TooManyInvitations")(
  {
    _tag: Schema.tagDefaultOmit("TooManyInvitations"),
    message: described(Schema.Literal("Too Many Attempts."), "Always this text.")
  },
  {
    httpApiStatus: 429,
    description: "The person or the organization had too many invitations; wait for the time in `Retry-After`."
  }
) {
  static of() {
    return new TooManyInvitations({ message: "Too Many Attempts." })
  }
}

export class LastOwner extends Schema.Error<LastOwner>("LastOwner")(refusal("LastOwner", "last_owner"), {
  httpApiStatus: 400,
  description: "The organization must have an owner; make another member an owner first."
}) {
  static of() {
    return new LastOwner({ message: "The organization must have an owner." })
  }
}

export class CannotRemoveSelf extends Schema.Error<CannotRemoveSelf>("CannotRemoveSelf")(
  refusal("CannotRemoveSelf", "cannot_remove_self"),
  { httpApiStatus: 400, description: "Members cannot remove themselves; another owner or admin can." }
) {
  static of() {
    return new CannotRemoveSelf({ message: "You cannot remove yourself from the organization." })
  }
}

export class OwnersOnly extends Schema.Error<OwnersOnly>("OwnersOnly")(
  {
    ...refusal("OwnersOnly", "forbidden"),
    required_role: described(Schema.Literal("owner"), "Role that the caller lacks.")
  },
  { httpApiStatus: 403, description: "Only an owner may grant or revoke the role owner." }
) {
  static of() {
    return new OwnersOnly({ message: "Only an owner may grant or revoke the role owner.", required_role: "owner" })
  }
}
