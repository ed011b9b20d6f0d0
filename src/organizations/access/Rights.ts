import { Effect } from "effect"
import { Forbidden, OrganizationArchived } from "../../platform/http/Refusals.ts"
import type { ActiveOrganization, Principal } from "../../platform/http/Security.ts"
import { accessTable } from "./Access.ts"
import { holds, type Permission } from "./Permission.ts"

/** True if a permission allows changes; an archived organization can still be viewed and exported. */
const changes = (permission: Permission) => !/\.(view|export)$/.test(permission)

/** Refuses a role that lacks a permission, and changes to an archived organization. */
export const requirePermissions = Effect.fnUntraced(function* (
  { archived, role }: Pick<ActiveOrganization, "archived" | "role">,
  permissions: ReadonlyArray<Permission>
) {
  for (const permission of permissions) {
    if (role !== null && !holds(role, permission)) return yield* Forbidden.of(permission)
    if (archived && changes(permission)) return yield* OrganizationArchived.of()
  }
})

/** Returns the first of the scopes that the caller's token lacks. */
export const missingScope = ({ scopes }: Principal, wanted: ReadonlyArray<string>): string | undefined =>
  scopes.has("*") ? undefined : wanted.find((scope) => !scopes.has(scope))

export const mayUse = (principal: Principal, { role }: Pick<ActiveOrganization, "role">, endpoint: string): boolean => {
  const access = accessTable[endpoint]
  if (access === undefined) return false
  return (
    missingScope(principal, access.scopes) === undefined &&
    (role === null || access.permissions.every((permission) => holds(role, permission)))
  )
}
