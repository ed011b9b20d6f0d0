import { Cause, Clock, Effect, Option } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { AppConfig, publicUrl } from "../../config/AppConfig.ts"
import { sha256Hex } from "../../crypto/Digest.ts"
import { annotateRequest, isProbe, logRequest } from "../../observability/AccessLog.ts"
import { recordRequest } from "../../observability/Metrics.ts"
import { amountsAsText } from "./AmountsAsText.ts"
import { clientAddress } from "../ClientAddress.ts"
import {
  answerCause,
  inJson,
  malformedJson,
  notFound,
  payloadTooLarge,
  retry_after_seconds,
  tooManyAttempts,
  unsupportedCoding
} from "../answers/EdgeAnswers.ts"
import { forBrowser } from "./BrowserAnswers.ts"
import { entityTags, revalidated } from "../answers/EntityTags.ts"
import { Idempotency } from "./Idempotency.ts"
import { cachingRefusals } from "./RefusedCallers.ts"
import { boundSmallBody, isAnnouncedTooLarge, isCoded, jsonText } from "./RequestBody.ts"
import { isCutByRouter, namedOrganization, routesOf } from "./Routing.ts"
import {
  type Admission,
  type AdmissionRequest,
  type Answering,
  credentialOf,
  Gate,
  type Principal,
  RequestFacts
} from "../Security.ts"
import { pacing } from "./Pacing.ts"
import { fingerprintOf, isMultipart, receivedUpload } from "../Upload.ts"

/** Paths without a rate limit, because they must answer even when everything else is limited. */
const unlimited = /^\/(health|metrics|\.well-known|rpc)(\/|\?|$)/

/**
 * If reading a body takes longer, the request is admitted again: a caller could otherwise hold back the last byte until
 * after its access was revoked.
 */
const slow_body_ms = 1_000

/** Length up to which the URL of a request is stored with its idempotency key; longer URLs are hashed. */
const url_characters_max = 2_000

const request_id_pattern = /^[\w.:-]{1,128}$/

/** For a year after each response, browsers call this server over https only (RFC 6797; OWASP ASVS 5.0, 3.4.1). */
const strictTransport = { "strict-transport-security": "max-age=31536000; includeSubDomains" }

type Request = HttpServerRequest.HttpServerRequest

/** Extracts the token of an `Authorization` header (RFC 6750, 2.1). */
export const bearerToken = (authorization: string | undefined) => /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

/** The request id, the restrictions for browsers and, if known, the remaining rate limit. */
const answerHeaders = (
  { admission, id }: RequestFacts,
  limit: number,
  response: HttpServerResponse.HttpServerResponse,
  transport: Record<string, string>
): Record<string, string> => {
  const headers: Record<string, string> = { "x-request-id": id, "x-content-type-options": "nosniff", ...transport }
  // A streamed answer is a file, which keeps its own content type.
  if (response.headers["content-type"] === "application/json" && response.body._tag !== "Stream") {
    headers["content-type"] = "application/json; charset=utf-8"
  }
  if (response.status === 503 && response.headers["retry-after"] === undefined) {
    headers["retry-after"] = String(retry_after_seconds)
  }
  if (admission === undefined) return headers
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = String(Math.max(0, limit - admission.used))
  if (Option.isSome(admission.principal) && response.headers["cache-control"] !== revalidated) {
    headers["cache-control"] = "no-store"
  }
  return headers
}

const beyondLimit = (admission: Admission, limit: number, now_ms: number) => {
  if (admission.used <= limit) return undefined
  const epoch_seconds = Math.floor(now_ms / 1000)
  return HttpServerResponse.setHeaders(tooManyAttempts(), {
    "retry-after": String(Math.max(1, admission.reset_seconds)),
    "x-ratelimit-reset": String(epoch_seconds + admission.reset_seconds)
  })
}

const factsOf = (request: Request) => {
  const { organization, id: organization_id } = namedOrganization(request)
  const given = request.headers["x-request-id"]
  const facts: RequestFacts = {
    id: given !== undefined && request_id_pattern.test(given) ? given : randomUUID(),
    admission: undefined,
    organization,
    if_match: request.headers["if-match"],
    route: undefined,
    version: undefined,
    once: undefined
  }
  return { facts, organization_id }
}

/** Returns what the log line and the span of a request contain besides its method, status and duration. */
const finishedOf = ({ admission, id, route }: RequestFacts) => ({
  request_id: id,
  route: route ?? "none",
  organization_id: Option.match(admission?.organization ?? Option.none(), {
    onNone: () => null,
    onSome: (organization) => organization.id
  }),
  actor: Option.match(admission?.principal ?? Option.none(), { onNone: () => null, onSome: ({ actor }) => actor })
})

/** Part of the primary key of stored idempotency keys, whose rows in the index PostgreSQL limits to 2,704 bytes. */
const storable = (url: string) => (url.length <= url_characters_max ? url : sha256Hex(url))

/** Returns the key of a request, and whether its work runs in a transaction; undefined if there is no usable key. */
const keyOf = (
  request: Request,
  { admission }: RequestFacts,
  principal: Principal,
  routesAt: ReturnType<typeof routesOf>
) => {
  const key = request.headers["idempotency-key"]
  // Answers of /oauth contain tokens and must not be stored, so only requests to /api may have a key.
  if (key === undefined || request.method !== "POST" || !request.url.startsWith("/api/")) return undefined
  // The key is ignored if no endpoint has the path, or if the endpoint itself remembers its keys.
  const route = routesAt(request.url).find(({ keepsKeys, method }) => !keepsKeys && method === request.method)
  if (route === undefined) return undefined
  const organization_id = Option.match(admission?.organization ?? Option.none(), {
    onNone: () => 0,
    onSome: ({ id }) => id
  })
  // An uploaded file is deleted when its client disconnects, so the work must end with the request.
  const outside = isMultipart(request) ? ("outside" as const) : ("detached" as const)
  return {
    key: { organization_id, principal: credentialOf(principal), route: `POST ${storable(request.url)}`, key },
    work: route.usesOtherSystems ? outside : ("transaction" as const)
  }
}

/**
 * A request gets its id; one SQL statement then reads its credential and membership and counts it. The limits of rate
 * and body, the idempotency key and the route follow. Answers that no endpoint declares become JSON at the end.
 */
export const edge = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const config = yield* AppConfig
      const { accessLog, rateLimitPerMinute: limit } = config
      const transport = publicUrl(config).startsWith("https:") ? strictTransport : {}
      const gate = cachingRefusals(yield* Gate, limit)
      const { once } = yield* Idempotency
      const pace = pacing()
      const routesAt = routesOf(api)
      const withPreferredAmounts = amountsAsText(api)
      const tagged = entityTags(api)

      const admit = Effect.fnUntraced(function* (
        request: Request,
        facts: RequestFacts,
        admissionRequest: AdmissionRequest
      ) {
        if (unlimited.test(request.url)) {
          yield* pace(request)
          return undefined
        }
        const admission = yield* gate.admit(admissionRequest)
        facts.admission = admission
        return beyondLimit(admission, limit, yield* Clock.currentTimeMillis)
      })

      const readmitAfter = Effect.fnUntraced(function* <A, E, R>(
        reading: Effect.Effect<A, E, R>,
        facts: RequestFacts,
        admissionRequest: AdmissionRequest
      ) {
        const started = performance.now()
        const read = yield* reading
        if (performance.now() - started > slow_body_ms) facts.admission = yield* gate.readmit(admissionRequest)
        return read
      })

      const handle = Effect.fnUntraced(function* <E, R>(
        request: Request,
        facts: RequestFacts,
        admissionRequest: AdmissionRequest,
        route: Answering<E, R>
      ) {
        if (isCutByRouter(request.url)) return notFound()
        if (isCoded(request)) return unsupportedCoding()
        yield* boundSmallBody(request)
        const principal = facts.admission?.principal ?? Option.none()
        // The body of a request without a valid credential is read only if the route requires it.
        if (Option.isNone(principal)) return yield* route
        if (isAnnouncedTooLarge(request)) return payloadTooLarge()
        const read = yield* readmitAfter(jsonText(request, principal.value.actor), facts, admissionRequest)
        if (read === "depth") return malformedJson("The request body nests too deeply.")
        if (read === "encoding") return malformedJson("The request body is not UTF-8.")
        if (read === "size") return payloadTooLarge()
        const keyed = keyOf(request, facts, principal.value, routesAt)
        if (!isMultipart(request)) {
          return yield* keyed === undefined ? route : once({ ...keyed, content: read?.text ?? "" }, route)
        }
        const takesFiles = routesAt(request.url).some((found) => found.takesFiles && found.method === request.method)
        if (!takesFiles) return yield* route
        // The form is received here, before its endpoint reads it, because the caller may have to be admitted again.
        const upload = yield* readmitAfter(Effect.option(receivedUpload), facts, admissionRequest)
        // A refused form has changed nothing, so its idempotency key is not used.
        if (keyed === undefined || Option.isNone(upload)) return yield* route
        return yield* once({ ...keyed, content: fingerprintOf(upload.value) }, route)
      })

      return (route) =>
        Effect.gen(function* () {
          const started = performance.now()
          const request = yield* HttpServerRequest.HttpServerRequest
          const { facts, organization_id } = factsOf(request)
          const { method, url } = request
          yield* HttpEffect.appendPreResponseHandler((_request, response) => {
            const duration_ms = performance.now() - started
            const finished = { ...finishedOf(facts), method, status: response.status, duration_ms }
            recordRequest(finished)
            const answer = HttpServerResponse.setHeaders(response, answerHeaders(facts, limit, response, transport))
            return Effect.withFiber((fiber) => {
              const span = fiber.cache.span
              if (accessLog && !isProbe(url)) logRequest(finished, span)
              return span === undefined ? Effect.succeed(answer) : Effect.as(annotateRequest(finished), answer)
            })
          })
          return yield* Effect.gen(function* () {
            const token = bearerToken(request.headers.authorization)
            const admissionRequest = { token, address: clientAddress(request), organization_id }
            const refused = yield* admit(request, facts, admissionRequest)
            if (refused !== undefined) return refused
            const response = yield* Effect.provideService(
              handle(request, facts, admissionRequest, route),
              RequestFacts,
              facts
            )
            const answer = inJson(response, url)
            // The preference is for amounts of records. The API document at /openapi.json has none.
            const prefer = url.startsWith("/api/") ? request.headers.prefer : undefined
            return tagged(request, facts, withPreferredAmounts(prefer, answer))
          }).pipe(
            Effect.catchCauseIf(
              (cause) => !Cause.hasInterruptsOnly(cause),
              (cause) => {
                const { organization_id, route } = finishedOf(facts)
                const allowedMethods = () => routesAt(url).map((found) => found.method)
                return Effect.annotateLogs(answerCause(cause, facts.id, { url, allowedMethods }), {
                  route,
                  organization_id
                })
              }
            ),
            Effect.map((response) => forBrowser(request, response)),
            Effect.annotateLogs({ request_id: facts.id, method })
          )
        })
    }),
    { global: true }
  )
