import { Schema } from "effect"

/** Roles of a member in an organization, strongest first. */
export const Role = Schema.Literals(["owner", "admin", "accountant", "member", "viewer"]).annotate({
  identifier: "Role"
})
export type Role = typeof Role.Type
