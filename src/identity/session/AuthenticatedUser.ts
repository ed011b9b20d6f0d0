import { Schema, Struct } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"
import { User } from "../users/User.ts"
import { described } from "../../kernel/Described.ts"

/** The user that a token acts for, with the organizations that it may act on. */
export const AuthenticatedUser = Schema.Struct({
  ...Struct.pick(User.fields, ["id", "name", "email", "primary_organization_id"]),
  organizations: described(
    Schema.Array(
      Schema.Struct({ id: OrganizationId, name: described(Schema.String, "Name of the organization."), role: Role })
    ),
    "Organizations that the token may act on, with the role of the user."
  )
}).annotate({ identifier: "AuthenticatedUser", description: "The user that the token acts for." })
export type AuthenticatedUser = typeof AuthenticatedUser.Type
