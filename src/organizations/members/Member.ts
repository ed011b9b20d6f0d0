import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { described } from "../../kernel/Described.ts"

export const Member = Schema.Struct({
  id: UserId,
  name: described(Schema.String, "Name of the user; the e-mail address while the user is invited."),
  email: described(
    Schema.String,
    "E-mail address of the user; the address of the invitation while the user is invited."
  ),
  role: Role,
  status: described(
    Schema.Literals(["invited", "active"]),
    "`invited`: has not accepted yet, and has no access; `active`: has access."
  ),
  joined_at: described(Schema.NullOr(Timestamp), "Time at which the user accepted; null while invited."),
  created_at: described(Timestamp, "Time of the invitation.")
}).annotate({ identifier: "Member", description: "The membership of a user in an organization." })
export type Member = typeof Member.Type

export const memberEvent = recordEvent("member", Member)

export const isActiveOwner = ({ role, status }: Member): boolean => role === "owner" && status === "active"

export const InvitationDraft = Schema.Struct({
  email: described(EmailAddress, "E-mail address of the person, who gets a link to accept."),
  role: Role
}).annotate({
  identifier: "InvitationDraft",
  description: "A person to invite."
})
export type InvitationDraft = typeof InvitationDraft.Type

export const RoleChange = Schema.Struct({ role: Role }).annotate({
  identifier: "RoleChange",
  description: "The new role of a member."
})
