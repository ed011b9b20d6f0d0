import { Schema, Struct } from "effect"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { Name } from "../kernel/Text.ts"
import { OrganizationDraft } from "../organizations/profile/Organization.ts"

export const Opening = Schema.Struct({
  ...Struct.omit(OrganizationDraft.fields, ["owner_id"]),
  owner_email: EmailAddress,
  /** Name of a new owner; the default is the email address. */
  owner_name: Schema.optionalKey(Name),
  /** Password of a new owner. Without it, the owner first chooses a password with a link and can then log in. */
  owner_password: Schema.optionalKey(Schema.RedactedFromValue(Schema.String))
})
export type Opening = typeof Opening.Type
