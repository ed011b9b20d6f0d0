import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"

/** What a user is in one organization. `invited` until the person has accepted; only an active member may act. */
export const Member = Schema.Struct({
  /** The user's. */
  id: UserId,
  /** The address again while invited: an invitation must not tell the name behind an address. */
  name: Schema.String,
  email: Schema.String,
  role: Role,
  status: Schema.Literals(["invited", "active"]),
  joined_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
})
export type Member = typeof Member.Type

export const isActiveOwner = ({ role, status }: Member): boolean => role === "owner" && status === "active"

export const InvitationDraft = Schema.Struct({ email: EmailAddress, role: Role })
export type InvitationDraft = typeof InvitationDraft.Type

export const RoleChange = Schema.Struct({ role: Role })
