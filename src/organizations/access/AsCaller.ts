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

/** A caller as it is stored with the work that it ordered. */
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

/** The caller of the current request. */
export const storedCaller: Effect.Effect<StoredCaller, never, Caller> = Effect.gen(function* () {
  const { id: organization_id } = yield* CurrentOrganization
  const principal = yield* CurrentPrincipal
  return { ...principal, organization_id, scopes: [...principal.scopes] }
})

export const AsCallerRefused = Schema.Union([Unauthenticated, Forbidden, OrganizationArchived])
type AsCallerRefused = typeof AsCallerRefused.Type

/** Who does the work, as they stand now. */
interface Standing {
  readonly principal: Principal
  readonly organization: ActiveOrganization
}

/** Does work in the name of a caller whose request was answered before. */
export class AsCaller extends Context.Service<
  AsCaller,
  {
    /**
     * The caller's rights of now decide, not those of the request: a member who was removed, a lower role and a revoked
     * token are refused what the endpoint would refuse them.
     */
    readonly standing: (caller: StoredCaller, endpoint: string) => Effect.Effect<Standing, AsCallerRefused>
  }
>()("invoicing/organizations/access/AsCaller") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AsCallerRepo
      const standing = Effect.fn("AsCaller.standing")(function* (caller: StoredCaller, endpoint: string) {
        const { role, token_is_live, ...found } = yield* repo.find(caller)
        const permissions = accessTable[endpoint]?.permissions ?? []
        // An access token is replaced each hour; that the user is still a member is what counts.
        if (caller.kind !== "access" && !token_is_live) return yield* Unauthenticated.of()
        if (caller.user_id !== null && role === null) return yield* Forbidden.of(permissions[0] ?? "")
        const organization = { ...found, role: caller.user_id === null ? null : role }
        yield* requirePermissions(organization, permissions)
        const { organization_id: _, scopes, ...principal } = caller
        return { organization, principal: { ...principal, scopes: new Set(scopes) } }
      })
      return AsCaller.of({ standing })
    })
  ).pipe(Layer.provide(AsCallerRepo.layer))
}

/** Runs work as a caller in good standing. */
export const as =
  ({ organization, principal }: Standing) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.provideService(CurrentOrganization, organization),
      Effect.provideService(CurrentPrincipal, principal)
    )
