import { Schema, Struct } from "effect"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { Name } from "../kernel/Text.ts"
import { OrganizationDraft } from "../organizations/Organization.ts"

/** What it takes to open an organization. */
export const Opening = Schema.Struct({
  ...Struct.omit(OrganizationDraft.fields, ["owner_id"]),
  owner_email: EmailAddress,
  /** Of an owner who is created; absent: the address. */
  owner_name: Schema.optionalKey(Name),
  /** Of an owner who is created; absent: they cannot log in until they have chosen one. */
  owner_password: Schema.optionalKey(Schema.RedactedFromValue(Schema.String))
})
export type Opening = typeof Opening.Type
