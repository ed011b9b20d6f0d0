import { Context, Effect, Layer, Schema } from "effect"
import { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { Forbidden, OrganizationArchived, Unauthenticated } from "../../platform/http/Refusals.ts"
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

export const AsCallerRefused = Schema.Union([Unauthenticated, Forbidden, OrganizationArchived])
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
     * Loads the current rights of the caller. Fails for a removed member, a role that is too low or a revoked token, as
     * the endpoint would. The users of disabled accounts have only revoked tokens.
     */
    readonly currentRights: (caller: StoredCaller, endpoint: string) => Effect.Effect<Rights, AsCallerRefused>
  }
>()("invoicing/organizations/access/AsCaller") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AsCallerRepo
      const currentRights = Effect.fn("AsCaller.currentRights")(function* (caller: StoredCaller, endpoint: string) {
        const { access_stands, role, token_is_live, ...found } = yield* repo.find(caller)
        const permissions = accessTable[endpoint]?.permissions ?? []
        // An access token lives an hour and may have expired since the request, so only its revocation counts.
        const mayStill = caller.kind === "access" ? access_stands : token_is_live
        if (!mayStill) return yield* Unauthenticated.of()
        if (caller.user_id !== null && role === null) return yield* Forbidden.of(permissions[0] ?? "")
        const organization = { ...found, role: caller.user_id === null ? null : role }
        yield* requirePermissions(organization, permissions)
        const { organization_id: _, scopes, ...principal } = caller
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
