import { Effect, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { holds, type Permission } from "../access/Permission.ts"
import { isActiveOwner } from "./Member.ts"
import { OwnersOnly } from "./MemberErrors.ts"
import type { MembersRepo } from "./MembersRepo.ts"

/** Callers must have locked the organization's row. An organization API token is never an owner. */
export const requireOwner = Effect.fnUntraced(function* (
  members: MembersRepo["Service"],
  organization_id: OrganizationId
) {
  const { user_id } = yield* CurrentPrincipal
  const caller = user_id === null ? Option.none() : yield* members.find({ organization_id, user_id })
  if (Option.isNone(caller) || !isActiveOwner(caller.value)) return yield* OwnersOnly.of()
})

/**
 * Returns the present role of the caller, who keeps it until the transaction ends. Refuses a caller who has lost the
 * permission since the request arrived. A transaction that locks the organization's row must do so before.
 */
export const holdRole = Effect.fnUntraced(function* (members: MembersRepo["Service"], permission: Permission) {
  const { id: organization_id, role } = yield* CurrentOrganization
  const { user_id } = yield* CurrentPrincipal
  if (user_id === null) return role
  const held = yield* members.hold({ organization_id, user_id })
  if (Option.isNone(held) || !holds(held.value.role, permission)) return yield* Forbidden.of(permission)
  return held.value.role
})
