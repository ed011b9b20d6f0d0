import { Effect } from "effect"
import { NotFound } from "../kernel/Refusal.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"

/** Contract section 1: an organization in a body or query that is not the active one is not found. */
export const requireOwn = Effect.fnUntraced(function* (organization_id: number | string) {
  const { id } = yield* CurrentOrganization
  if (String(organization_id) !== String(id)) return yield* NotFound.of()
})
