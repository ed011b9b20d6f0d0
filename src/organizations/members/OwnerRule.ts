import { Effect, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { CurrentPrincipal } from "../../platform/http/Security.ts"
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
