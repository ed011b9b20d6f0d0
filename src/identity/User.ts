import { Schema, Struct } from "effect"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { OrganizationId, UserId } from "../kernel/Ids.ts"
import { Name } from "../kernel/Text.ts"

/** A person who can log in. The spelling of the address is theirs; two that differ only in case are one address. */
export const User = Schema.Struct({
  id: UserId,
  name: Name,
  email: EmailAddress,
  /** Runs this installation: may see and change all of it at `/admin`. */
  superadmin: Schema.Boolean,
  primary_organization_id: Schema.NullOr(OrganizationId),
  /** False for somebody invited who has not chosen a password yet, and so cannot log in. */
  has_password: Schema.Boolean
})
export type User = typeof User.Type

export const UserDraft = Schema.Struct({
  ...Struct.pick(User.fields, ["name", "email"]),
  superadmin: Schema.optionalKey(User.fields.superadmin)
})
export type UserDraft = typeof UserDraft.Type
