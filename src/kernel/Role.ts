import { Schema } from "effect"

/** What a member is in an organization, strongest first. */
export const Role = Schema.Literals(["owner", "admin", "accountant", "member", "viewer"])
export type Role = typeof Role.Type
