import { Schema } from "effect"

export const Role = Schema.Literals(["owner", "admin", "accountant", "member", "viewer"]).annotate({
  identifier: "Role",
  description:
    "Role of a member, strongest first. `owner` and `admin`: everything, but only an owner makes others owners; `accountant`: all records; `member`: writes documents and deletes own drafts; `viewer`: reads."
})
export type Role = typeof Role.Type
