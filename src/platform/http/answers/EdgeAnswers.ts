import { type Cause, Effect, Predicate } from "effect"
import { HttpServerError, HttpServerResponse, Multipart } from "effect/http"
import { SqlError } from "effect/sql"
import type { EdgeCode } from "../server/EdgeCode.ts"

export const json = (body: unknown, status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers, contentType: "application/json; charset=utf-8" })

/** The API document describes these refusals at the endpoints, or leaves them out because no endpoint gives them. */
type OtherCode = "not_found" | "client_unavailable"

export const refusal = (
  status: number,
  code: EdgeCode | OtherCode,
  message: string,
  headers?: Record<string, string>
) => json({ success: false, message, code }, status, headers)

/** Every 429 has exactly this body (rules/conventions.md, Errors). */
export const tooManyAttempts = () => json({ message: "Too Many Attempts." }, 429)

export const malformedJson = (message: string) => refusal(400, "malformed_json", message)

export const notFound = () => refusal(404, "not_found", "Not found.")
export const unsupportedCoding = () =>
  refusal(415, "unsupported_content_encoding", "The request body must be sent without a content coding.", {
    "accept-encoding": "identity"
  })
export const payloadTooLarge = () => refusal(413, "payload_too_large", "The request body is too large.")
const malformedRequest = () => refusal(400, "malformed_request", "The request could not be read.")

/** `Retry-After` in seconds while the service is unavailable or stopping. */
export const retry_after_seconds = 2
export const unavailable_message = "The service is temporarily unavailable."
const unavailable = (url: string) => {
  const body = { success: false, message: unavailable_message, code: "unavailable" satisfies EdgeCode }
  // OAuth clients know this error code, and would treat an answer without it as a wrong URL (RFC 6749, 4.1.2.1).
  const oauth = { error: "temporarily_unavailable", error_description: unavailable_message }
  const headers = { "retry-after": String(retry_after_seconds) }
  return json(url.startsWith("/oauth/") ? { ...body, ...oauth } : body, 503, headers)
}

/** Database failures that go away by themselves. A wrong SQL statement is not one of them: it is answered with 500. */
const passing = new Set([
  "ConnectionError",
  "AuthenticationError",
  "StatementTimeoutError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError"
])

/**
 * SQLSTATEs of a database server that starts or stops, lacks connections or disk space, ended a transaction that was
 * idle for too long, or is read-only after a failover. 0A000 means that the migration of a newer version has changed a
 * column during a transaction.
 */
const passing_states = new Set(["57P01", "57P02", "57P03", "53100", "53300", "25P03", "25006", "0A000"])

const isOutage = ({ reason }: SqlError.SqlError): boolean =>
  passing.has(reason._tag) ||
  (Predicate.hasProperty(reason.cause, "code") && passing_states.has(String(reason.cause.code)))

/** True for a failure that goes away when the database is available again. */
export const isPassing = (error: unknown): error is SqlError.SqlError => SqlError.isSqlError(error) && isOutage(error)

/** Writes one short line without a stack, because every request fails while the database is unavailable. */
export const logOutage = ({ reason }: SqlError.SqlError) => {
  const { cause } = reason
  // The error of a host with several addresses has a code, but no message.
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : reason.message
  const error = cause instanceof Error && cause.message !== "" ? cause.message : code
  return Effect.logWarning("database unavailable").pipe(Effect.annotateLogs({ reason: reason._tag, error }))
}

/** True if PostgreSQL ended a transaction that waited for another one, which waited for it. */
export const isDeadlock = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "DeadlockError"

interface Asked {
  readonly url: string
  readonly allowedMethods: () => ReadonlyArray<string>
}

/** HEAD is allowed wherever GET is, except at the OAuth server, where a GET may issue a code. */
const withHead = (methods: ReadonlyArray<string>, url: string) =>
  url.startsWith("/oauth/") ? methods : methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))

/** Several routes may match an address: `/webhooks/events` is also that of a webhook with the id "events". */
const allowed = (methods: ReadonlyArray<string>, url: string) => [...new Set(withHead(methods, url))].join(", ")

const answerTo = (error: unknown, { allowedMethods, url }: Asked) => {
  if (HttpServerResponse.isHttpServerResponse(error)) return error
  if (SqlError.isSqlError(error)) return isOutage(error) ? unavailable(url) : undefined
  if (Multipart.isMultipartError(error)) {
    if (error.reason._tag === "InternalError") return undefined
    return error.reason._tag === "Parse" ? malformedRequest() : payloadTooLarge()
  }
  if (!HttpServerError.isHttpServerError(error)) return undefined
  if (error.reason._tag === "RouteNotFound") {
    const methods = allowedMethods()
    return methods.length === 0
      ? notFound()
      : refusal(405, "method_not_allowed", "Method not allowed.", { allow: allowed(methods, url) })
  }
  if (error.reason._tag !== "RequestParseError") return undefined
  return error.reason.reason === "BodyTooLarge" ? payloadTooLarge() : malformedRequest()
}

/** Returns the answer to a failure that no endpoint declares: unknown route, unreadable body, outage, bug. */
export const answerCause = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, requestId: string, asked: Asked) {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    const answer = error === undefined ? undefined : answerTo(error, asked)
    if (answer !== undefined) {
      if (isPassing(error)) yield* logOutage(error)
      return answer
    }
  }
  yield* Effect.logError("unhandled failure", cause)
  return json({ success: false, message: "Server Error", code: "server_error", request_id: requestId }, 500)
})

const media_type_message = "Unsupported media type: send JSON as application/json, a file as multipart/form-data."

const oauth_media_type_message = "Send the parameters as application/x-www-form-urlencoded or application/json."

/** OAuth clients only know the error codes of OAuth, which has none for a media type (RFC 6749, 5.2). */
const invalidRequest = (message: string) =>
  json({ error: "invalid_request", error_description: message, message }, 400, { "cache-control": "no-store" })

/** Converts an answer to JSON. HttpApiBuilder answers an unknown content type or an oversized upload without JSON. */
export const inJson = (response: HttpServerResponse.HttpServerResponse, url: string) => {
  if (response.headers["content-type"]?.startsWith("application/json")) return response
  if (response.status === 415 && url.startsWith("/oauth/")) return invalidRequest(oauth_media_type_message)
  if (response.status === 415) return refusal(415, "unsupported_media_type", media_type_message)
  if (response.status === 413 && response.body._tag === "Empty") return payloadTooLarge()
  return response
}
