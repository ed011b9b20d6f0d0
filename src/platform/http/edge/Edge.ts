import { Cause, Clock, Context, Effect, Option, Result } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import type { HttpApiGroup } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { AppConfig } from "../../config/AppConfig.ts"
import { recordRequest } from "../../observability/Metrics.ts"
import { amountsAsText } from "./AmountsAsText.ts"
import { clientAddress } from "../ClientAddress.ts"
import { KeepsIdempotencyKeys } from "../Contract.ts"
import { answerCause, inJson, malformedJson, notFound, payloadTooLarge, tooManyAttempts } from "./EdgeAnswers.ts"
import { Idempotency } from "./Idempotency.ts"
import { rememberingRefused } from "./RefusedCallers.ts"
import { boundSmallBody, isAnnouncedTooLarge, jsonText } from "./RequestBody.ts"
import { type Admission, Gate, RequestFacts } from "../Security.ts"
import { unhurried } from "./Unhurried.ts"
import { fingerprintOf, isMultipart, receivedUpload } from "../Upload.ts"

/** What has no rate limit: it must answer when everything else is limited. */
const unlimited = /^\/(health|metrics|openapi\.json|\.well-known|rpc)(\/|\?|$)/

const request_id_pattern = /^[\w.:-]{1,128}$/
const id_pattern = /^[1-9]\d{0,8}$/
const organization_path = /^\/api\/v1\/organizations\/([^/]+)/

/** RFC 6750, 2.1. */
export const bearerToken = (authorization: string | undefined) => /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

/** The path as the router reads it: `/api/v1/%6Frganizations` reaches an organization's routes, too. */
const routedPath = (url: string): string => {
  const path = url.split("?", 1)[0] ?? ""
  if (!path.includes("%")) return path
  // The router knows no route for what cannot be decoded.
  return Result.getOrElse(
    Result.try(() => decodeURI(path)),
    () => ""
  )
}

/** The router would leave out whatever follows these characters in a path, and answer for another one. */
const isCutByRouter = (url: string): boolean => /^[^?]*[;#]/.test(url)

/** An organization is addressed by the path of its own routes, and by the header everywhere else. */
const namedOrganization = (request: HttpServerRequest.HttpServerRequest) => {
  const inPath = organization_path.exec(routedPath(request.url))?.[1]
  const named = inPath ?? request.headers["x-organization-id"]
  const id = named !== undefined && id_pattern.test(named) ? Number(named) : null
  if (inPath !== undefined) return { organization: "path", id } as const
  if (named === undefined) return { organization: "absent", id } as const
  return { organization: id === null ? "malformed" : "header", id } as const
}

const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const routes: Array<{ readonly pattern: RegExp; readonly method: string; readonly keepsKeys: boolean }> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replace(/:[^/]+/g, "[^/]+")}/?$`)
      const keepsKeys = Context.get(endpoint.annotations, KeepsIdempotencyKeys)
      routes.push({ pattern, method: endpoint.method, keepsKeys })
    }
  })
  return (url: string) => {
    const path = routedPath(url)
    return routes.filter((route) => route.pattern.test(path))
  }
}

/** On every answer: which request it was, what is left of the rate limit, and what a browser may do with it. */
const answerHeaders = (
  { admission, id }: RequestFacts,
  limit: number,
  response: HttpServerResponse.HttpServerResponse
): Record<string, string> => {
  const headers: Record<string, string> = { "x-request-id": id, "x-content-type-options": "nosniff" }
  if (response.headers["content-type"] === "application/json") {
    headers["content-type"] = "application/json; charset=utf-8"
  }
  if (admission === undefined) return headers
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = String(Math.max(0, limit - admission.used))
  if (Option.isSome(admission.principal)) headers["cache-control"] = "no-store"
  return headers
}

/** The answer to one request too many. */
const beyondLimit = (admission: Admission, limit: number, now_ms: number) => {
  if (admission.used <= limit) return undefined
  const epoch_seconds = Math.floor(now_ms / 1000)
  return HttpServerResponse.setHeaders(tooManyAttempts(), {
    "retry-after": String(Math.max(1, admission.reset_seconds)),
    "x-ratelimit-reset": String(epoch_seconds + admission.reset_seconds)
  })
}

/**
 * What every request passes, in this order: request id, one statement for credential, membership and rate counter, rate
 * limit, body limits, idempotency key, the route, and JSON for whatever no endpoint declares.
 */
export const edge = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const { rateLimitPerMinute: limit } = yield* AppConfig
      const gate = rememberingRefused(yield* Gate, limit)
      const idempotency = yield* Idempotency
      const inTurn = unhurried()
      const routesAt = routesOf(api)
      const inPreferredForm = amountsAsText(api)

      const admit = (request: HttpServerRequest.HttpServerRequest, organization_id: number | null) =>
        gate.admit({
          token: bearerToken(request.headers.authorization),
          address: clientAddress(request),
          organization_id
        })

      const handle = Effect.fnUntraced(function* <E, R>(
        request: HttpServerRequest.HttpServerRequest,
        { admission }: RequestFacts,
        route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) {
        if (isCutByRouter(request.url)) return notFound()
        yield* boundSmallBody(request)
        const principal = admission?.principal ?? Option.none()
        // An anonymous body is read only where the route itself wants it.
        if (Option.isNone(principal)) return yield* route
        if (isAnnouncedTooLarge(request)) return payloadTooLarge()
        const read = yield* jsonText(request, principal.value.actor)
        if (read === "depth") return malformedJson("The request body nests too deeply.")
        if (read === "encoding") return malformedJson("The request body is not UTF-8.")
        if (read === "values") return payloadTooLarge()
        const key = request.headers["idempotency-key"]
        // The answers of /oauth are secrets, and never kept.
        if (key === undefined || request.method !== "POST" || !request.url.startsWith("/api/")) return yield* route
        // A path without an endpoint has nothing to repeat.
        if (!routesAt(request.url).some(({ keepsKeys, method }) => !keepsKeys && method === request.method)) {
          return yield* route
        }
        const organization_id = Option.match(admission?.organization ?? Option.none(), {
          onNone: () => 0,
          onSome: ({ id }) => id
        })
        const scope = { organization_id, principal: principal.value.actor, route: `POST ${request.url}`, key }
        if (!isMultipart(request)) return yield* idempotency.once(scope, read?.text ?? "", route)
        // Read before the transaction of the key begins. A refused form has changed nothing that a key must guard.
        const upload = yield* Effect.option(receivedUpload)
        if (Option.isNone(upload)) return yield* route
        return yield* idempotency.once(scope, fingerprintOf(upload.value), route)
      })

      return (route) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const started = performance.now()
          const given = request.headers["x-request-id"]
          const id = given !== undefined && request_id_pattern.test(given) ? given : randomUUID()
          const named = namedOrganization(request)
          const facts: RequestFacts = {
            id,
            admission: undefined,
            organization: named.organization,
            if_match: request.headers["if-match"],
            route: undefined
          }
          yield* HttpEffect.appendPreResponseHandler((_request, response) => {
            const duration_ms = performance.now() - started
            recordRequest({
              method: request.method,
              route: facts.route ?? "none",
              status: response.status,
              duration_ms
            })
            return Effect.succeed(HttpServerResponse.setHeaders(response, answerHeaders(facts, limit, response)))
          })
          return yield* Effect.gen(function* () {
            if (unlimited.test(request.url)) yield* inTurn(request)
            else {
              const admission = yield* admit(request, named.id)
              facts.admission = admission
              const refused = beyondLimit(admission, limit, yield* Clock.currentTimeMillis)
              if (refused !== undefined) return refused
            }
            const response = yield* Effect.provideService(handle(request, facts, route), RequestFacts, facts)
            return inPreferredForm(request.headers.prefer, inJson(response))
          }).pipe(
            Effect.catchCauseIf(
              (cause) => !Cause.hasInterruptsOnly(cause),
              (cause) => answerCause(cause, id, () => routesAt(request.url).map(({ method }) => method))
            ),
            Effect.annotateLogs({ request_id: id, method: request.method, path: request.url.split("?", 1)[0] })
          )
        })
    }),
    { global: true }
  )
