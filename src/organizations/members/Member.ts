import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"

/**
 * A user's membership in an organization. It is `invited` until the person accepts; only an active member has access.
 */
export const Member = Schema.Struct({
  /** The user's id. */
  id: UserId,
  /** The email address while the user is invited, because an invitation must not reveal the name behind an address. */
  name: Schema.String,
  email: Schema.String,
  role: Role,
  status: Schema.Literals(["invited", "active"]),
  joined_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

export const isActiveOwner = ({ role, status }: Member): boolean => role === "owner" && status === "active"

export const InvitationDraft = Schema.Struct({ email: EmailAddress, role: Role }).annotate({
  identifier: "InvitationDraft"
})
export type InvitationDraft = typeof InvitationDraft.Type

export const RoleChange = Schema.Struct({ role: Role }).annotate({ identifier: "RoleChange" })
