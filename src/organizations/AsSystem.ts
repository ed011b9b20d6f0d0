import { Effect } from "effect"
import { type OrganizationId, TokenId } from "../kernel/Ids.ts"
import { CurrentOrganization, CurrentPrincipal, type Principal } from "../platform/http/Security.ts"
import type { Organization } from "./profile/Organization.ts"

/** The largest possible id. No token has it, because ids are assigned in ascending order. */
const no_token = TokenId.make(Number.MAX_SAFE_INTEGER)

/** Runs an effect for an organization without a caller; the audit chain shows the actor as `system`. */
export const asSystem = (organization: Organization) => actingAs(organization, "system")

/**
 * Runs an effect for an organization with the rights of an owner and without a token; the audit chain shows the given
 * actor.
 */
export const actingAs =
  (organization: Organization, actor: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, {
        ...organization,
        // `organization` does not say whether its currency is in use. With false, the effect may mark the currency as
        // used once more, which changes nothing.
        currency_in_use: false,
        archived: organization.archived_at !== null,
        role: "owner"
      }),
      Effect.provideService(CurrentPrincipal, principalOf(organization.id, actor))
    )

/** A caller without a token, whom the audit chain shows as `actor`. */
const principalOf = (organization_id: OrganizationId, actor: string): Principal => ({
  token_id: no_token,
  kind: "organization",
  user_id: null,
  client_id: null,
  scopes: new Set<string>(),
  bound_organization_id: organization_id,
  actor
})
