import { Schema, Struct } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"
import { User } from "../User.ts"

/** The user a token acts for, with the organizations it may act on; contract section 2. */
export const AuthenticatedUser = Schema.Struct({
  ...Struct.pick(User.fields, ["id", "name", "email", "primary_organization_id"]),
  organizations: Schema.Array(Schema.Struct({ id: OrganizationId, name: Schema.String, role: Role }))
}).annotate({ identifier: "AuthenticatedUser" })
export type AuthenticatedUser = typeof AuthenticatedUser.Type
