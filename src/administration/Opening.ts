import { Schema, Struct } from "effect"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { Name } from "../kernel/Text.ts"
import { OrganizationDraft } from "../organizations/profile/Organization.ts"

/** Input for opening an organization. */
export const Opening = Schema.Struct({
  ...Struct.omit(OrganizationDraft.fields, ["owner_id"]),
  owner_email: EmailAddress,
  /** Name of an owner who is created; the default is the email address. */
  owner_name: Schema.optionalKey(Name),
  /** Password of an owner who is created; without one, they cannot log in until they have chosen one. */
  owner_password: Schema.optionalKey(Schema.RedactedFromValue(Schema.String))
})
export type Opening = typeof Opening.Type
