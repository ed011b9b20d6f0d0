import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFound } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import {
  MissingScope,
  OrganizationForbidden,
  OrganizationRequired,
  Unauthenticated
} from "../../platform/http/Refusals.ts"
import {
  Authentication,
  Authorization,
  CurrentOrganization,
  CurrentPrincipal,
  type Principal,
  RequestFacts
} from "../../platform/http/Security.ts"
import { accessByQuery, accessTable } from "./Access.ts"
import { missingScope, requirePermissions } from "./Rights.ts"

interface Route {
  readonly group: { readonly identifier: string }
  readonly endpoint: { readonly identifier: string; readonly path: string }
}

const unknownEndpoint = { scopes: ["none"], permissions: [] }

const accessOf = Effect.fnUntraced(function* ({ endpoint, group }: Route) {
  const name = `${group.identifier}.${endpoint.identifier}`
  const chosen = accessByQuery[name]
  if (chosen === undefined) return accessTable[name] ?? unknownEndpoint
  const value = (yield* HttpServerRequest.ParsedSearchParams)[chosen.field]
  const row = typeof value === "string" ? chosen.rows.get(value) : undefined
  return accessTable[row ?? name] ?? unknownEndpoint
})

/** Adds to a 401 the header that tells a client to send a bearer token, or that its token is invalid (RFC 6750, 3). */
const challenge = HttpEffect.appendPreResponseHandler(({ headers }, response) => {
  if (response.status !== 401) return Effect.succeed(response)
  const error = headers.authorization === undefined ? "" : ' error="invalid_token"'
  return Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", `Bearer${error}`))
})

const challengeScope = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", 'Bearer error="insufficient_scope"'))
)

const requirePrincipal = Effect.fnUntraced(function* ({ endpoint }: Route) {
  const facts = yield* RequestFacts
  facts.route = endpoint.path
  yield* challenge
  const principal = facts.admission?.principal ?? Option.none()
  if (Option.isNone(principal)) return yield* Unauthenticated.of()
  return principal.value
})

const requireScopes = Effect.fnUntraced(function* (principal: Principal, scopes: ReadonlyArray<string>) {
  const missing = missingScope(principal, scopes)
  if (missing === undefined) return
  yield* challengeScope
  return yield* MissingScope.of(missing)
})

/** Replays the stored answer for a repeated `Idempotency-Key` only to a caller who is still authorized. */
const once = <E, R>(authorized: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(RequestFacts, (facts) => (facts.once === undefined ? authorized : facts.once(authorized)))

export const AuthenticationLive = Layer.succeed(
  Authentication,
  Authentication.of(
    Effect.fnUntraced(function* (handler, route) {
      const principal = yield* requirePrincipal(route)
      yield* requireScopes(principal, (yield* accessOf(route)).scopes)
      return yield* once(Effect.provideService(handler, CurrentPrincipal, principal))
    })
  )
)

const organization_route = "/api/v1/organizations/:"

const requireOrganization = Effect.fnUntraced(function* (principal: Principal, { endpoint }: Route) {
  const { admission, organization: named } = yield* RequestFacts
  const organization = admission?.organization ?? Option.none()
  if (endpoint.path.startsWith(organization_route)) {
    // The caller's membership was looked up with the id in the raw URL. The router must have parsed the same id.
    const { params } = yield* HttpRouter.RouteContext
    if (!Option.exists(organization, ({ id }) => params["id"] === String(id))) return yield* NotFound.of()
  }
  // A malformed organization id in the header is an error even for a token that is bound to an organization.
  if (named === "malformed") return yield* OrganizationRequired.of()
  if (Option.isSome(organization)) return organization.value
  // The answer for another organization in the path is the same as for an organization that does not exist.
  if (named === "path") return yield* NotFound.of()
  const isNamed = named === "header" || principal.bound_organization_id !== null
  return yield* isNamed ? OrganizationForbidden.of() : OrganizationRequired.of()
})

export const AuthorizationLive = Layer.effect(
  Authorization,
  Effect.map(AuditLog, ({ underLatestLock }) =>
    Authorization.of(
      Effect.fnUntraced(function* (handler, route) {
        const { permissions, scopes } = yield* accessOf(route)
        const principal = yield* requirePrincipal(route)
        const organization = yield* requireOrganization(principal, route)
        yield* requireScopes(principal, scopes)
        yield* requirePermissions(organization, permissions)
        return yield* handler.pipe(
          Effect.provideService(CurrentPrincipal, principal),
          once,
          underLatestLock,
          Effect.provideService(CurrentOrganization, organization),
          Effect.annotateLogs({ route: route.endpoint.path, organization_id: organization.id })
        )
      })
    )
  )
)
