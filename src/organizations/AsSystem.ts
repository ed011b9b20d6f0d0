import { Effect } from "effect"
import { TokenId } from "../kernel/Ids.ts"
import {
  type ActiveOrganization,
  CurrentOrganization,
  CurrentPrincipal,
  type Principal
} from "../platform/http/Security.ts"
import type { Organization } from "./profile/Organization.ts"

/** The largest possible id. No token has it, because ids are assigned in ascending order. */
const no_token = TokenId.make(Number.MAX_SAFE_INTEGER)

/** Runs an effect for an organization without a caller; the audit chain shows the actor as `system`. */
export const asSystem = (organization: Organization) => actingAs(organization, "system")

type Caller = Pick<Principal, "token_id"> & Pick<ActiveOrganization, "role" | "currency_in_use">

/** A caller without a token, with the rights of an owner. */
const owner: Caller = {
  token_id: no_token,
  role: "owner",
  // With false, the effect may mark the organization's currency as used once more, which changes nothing.
  currency_in_use: false
}

/** Runs an effect for an organization as a caller who is no user; the audit chain shows the given actor. */
export const actingAs =
  (organization: Organization, actor: string, { currency_in_use, role, token_id }: Caller = owner) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, {
        ...organization,
        currency_in_use,
        archived: organization.archived_at !== null,
        role
      }),
      Effect.provideService(CurrentPrincipal, {
        token_id,
        kind: "organization",
        user_id: null,
        client_id: null,
        scopes: new Set<string>(),
        bound_organization_id: organization.id,
        actor
      })
    )
