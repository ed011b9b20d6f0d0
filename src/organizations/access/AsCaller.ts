import { Context, Effect, Layer, Schema } from "effect"
import { stillHeld } from "../../identity/clients/ClientScopes.ts"
import { covers } from "../../identity/Scope.ts"
import { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { Forbidden, MissingScope, OrganizationArchived, Unauthenticated } from "../../platform/http/Refusals.ts"
import {
  type ActiveOrganization,
  type Caller,
  CurrentOrganization,
  CurrentPrincipal,
  type Principal
} from "../../platform/http/Security.ts"
import { AsCallerRepo } from "./AsCallerRepo.ts"
import { accessTable } from "./Access.ts"
import { requirePermissions } from "./Rights.ts"

export const StoredCaller = Schema.Struct({
  organization_id: OrganizationId,
  token_id: TokenId,
  kind: Schema.Literals(["access", "personal", "organization"]),
  user_id: Schema.NullOr(UserId),
  client_id: Schema.NullOr(ClientId),
  scopes: Schema.Array(Schema.String),
  bound_organization_id: Schema.NullOr(OrganizationId),
  actor: Schema.String
})
export type StoredCaller = typeof StoredCaller.Type

export const storedCaller: Effect.Effect<StoredCaller, never, Caller> = Effect.gen(function* () {
  const { id: organization_id } = yield* CurrentOrganization
  const principal = yield* CurrentPrincipal
  return { ...principal, organization_id, scopes: [...principal.scopes] }
})

export const AsCallerRefused = Schema.Union([Unauthenticated, MissingScope, Forbidden, OrganizationArchived])
type AsCallerRefused = typeof AsCallerRefused.Type

interface Rights {
  readonly principal: Principal
  readonly organization: ActiveOrganization
}

/** Runs work on behalf of a caller whose request was answered earlier. */
export class AsCaller extends Context.Service<
  AsCaller,
  {
    /**
     * Loads the current rights of the caller. Fails for a removed member, a role that is too low, a revoked token or a
     * scope that the client has lost, as the endpoint would. The users of disabled accounts have only revoked tokens.
     */
    readonly currentRights: (caller: StoredCaller, endpoint: string) => Effect.Effect<Rights, AsCallerRefused>
  }
>()("invoicing/organizations/access/AsCaller") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AsCallerRepo
      const currentRights = Effect.fn("AsCaller.currentRights")(function* (caller: StoredCaller, endpoint: string) {
        const { client_scopes, role, token_is_live, ...found } = yield* repo.find(caller)
        const { permissions, scopes: wanted } = accessTable[endpoint] ?? { permissions: [], scopes: [] }
        // An access token lives an hour and may have expired since the request, so only its revocation counts.
        const mayStill = caller.kind === "access" ? client_scopes !== null : token_is_live
        if (!mayStill) return yield* Unauthenticated.of()
        const scopes = client_scopes === null ? caller.scopes : stillHeld({ scopes: client_scopes }, caller.scopes)
        const missing = wanted.find((scope) => !covers(scopes, [scope]))
        if (missing !== undefined) return yield* MissingScope.of(missing)
        if (caller.user_id !== null && role === null) return yield* Forbidden.of(permissions[0] ?? "")
        const organization = { ...found, role: caller.user_id === null ? null : role }
        yield* requirePermissions(organization, permissions)
        const { organization_id: _, scopes: _asked, ...principal } = caller
        return { organization, principal: { ...principal, scopes: new Set(scopes) } }
      })
      return AsCaller.of({ currentRights })
    })
  ).pipe(Layer.provide(AsCallerRepo.layer))
}

export const as =
  ({ organization, principal }: Rights) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.provideService(CurrentOrganization, organization),
      Effect.provideService(CurrentPrincipal, principal)
    )
