import { Effect } from "effect"
import { NotFound } from "../kernel/Refusal.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"

/** Answers 404 when a body or query names another organization than the active one (rules/conventions.md, Records). */
export const requireOwn = Effect.fnUntraced(function* (organization_id: number | string) {
  const { id } = yield* CurrentOrganization
  if (String(organization_id) !== String(id)) return yield* NotFound.of()
})
