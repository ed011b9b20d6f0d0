import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { Name } from "../../kernel/Text.ts"
import { described } from "../../kernel/Described.ts"

/**
 * A person who can log in. Addresses that differ only in case, or in the encoding of the domain (`readableAddress`), are
 * the same; an address with an ASCII domain keeps its spelling.
 */
export const User = Schema.Struct({
  id: UserId,
  name: described(Name, "Name of the user."),
  email: described(EmailAddress, "E-mail address of the user."),
  /** A superadmin runs this installation, and may see and change all of it at `/admin`. */
  superadmin: Schema.Boolean,
  primary_organization_id: described(
    Schema.NullOr(OrganizationId),
    "Organization that is selected by default; null if none."
  ),
  /** False for an invited user who has not chosen a password yet, and so cannot log in. */
  has_password: Schema.Boolean,
  /** True if a login also needs a code. */
  second_factor: Schema.Boolean,
  /** Language of the notices by mail; null before the first login. */
  language: Schema.NullOr(Schema.String),
  /** Null unless the operator has disabled the account: a disabled user is logged out and cannot log in. */
  disabled_at: Schema.NullOr(Timestamp)
})
export type User = typeof User.Type

export const UserDraft = Schema.Struct({
  ...Struct.pick(User.fields, ["name", "email"]),
  superadmin: Schema.optionalKey(User.fields.superadmin)
})
export type UserDraft = typeof UserDraft.Type
