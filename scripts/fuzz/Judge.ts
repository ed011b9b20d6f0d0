import type { IncomingHttpHeaders } from "node:http"
import { declaredAs, operations } from "../../test/contract/document/OpenApi.ts"

/** Error codes that every operation may answer. For them the OpenAPI document declares only the response `default`. */
const shared_codes = new Set([
  "method_not_allowed",
  "payload_too_large",
  "unsupported_content_encoding",
  "unsupported_media_type",
  "malformed_json",
  "malformed_request",
  "idempotency_key_invalid",
  "idempotency_key_reused",
  "idempotency_in_progress"
])

/** Codes of requests whose operation is unknown: they are not valid HTTP, or their headers are too large. */
const unreadable: ReadonlyMap<number, string> = new Map([
  [400, "malformed_request"],
  [431, "headers_too_large"]
])

const broken = new Set(["server_error", "unavailable"])

const server_error = "#/components/responses/ServerError"

/** False for a path that no operation can have: it is not valid text, has parameters (RFC 3986, 3.3) or a fragment. */
const isPlain = (path: string) => {
  if (/[;#]/.test(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Returns what is wrong with an answer; undefined if the OpenAPI document declares the answer. */
export const judge = (method: string, path: string, status: number, headers: IncomingHttpHeaders, text: string) => {
  if (headers["x-request-id"] === undefined) return "has no X-Request-Id"
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  const body = isJson && text !== "" ? parsed(text) : text
  if (body === undefined) return "is no JSON"
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : ""
  if (unreadable.get(status) === code) return undefined
  const judged = new Headers({
    "content-type": headers["content-type"] ?? "",
    "preference-applied": String(headers["preference-applied"] ?? "")
  })
  const answer = { status, headers: judged, body, text }
  const declared = isPlain(path.split("?", 1)[0] ?? "") ? declaredAs(method, path, answer) : undefined
  // The OpenAPI document does not declare the path (such as that of a page) or the method (such as HEAD).
  if (declared === undefined) return status >= 500 && status !== 501 ? `is ${status}` : undefined
  if (status >= 500) {
    const responses = operations.find(({ operationId }) => operationId === declared.id)?.responses
    const own = responses?.[String(status)]
    if (own === undefined || own.$ref === server_error || broken.has(code)) return `is ${status}`
  }
  if (declared.key === "default" && !shared_codes.has(code)) return `is ${status}, which is not declared`
  return declared.mistake
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
