import type { IncomingHttpHeaders } from "node:http"
import { declaredAs, operations } from "../../test/contract/OpenApi.ts"

/** What the document's `default` may stand for: refusals of the edge, which every operation shares. */
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

/** Of what is refused before its operation is known, whatever that declares: it is no HTTP, or its head is too large. */
const unreadable: ReadonlyMap<number, string> = new Map([
  [400, "malformed_request"],
  [431, "headers_too_large"]
])

/** Codes of a service that is broken, wherever they come from. */
const broken = new Set(["server_error", "unavailable"])

const isShared = (response: unknown) => typeof response === "object" && response !== null && "$ref" in response

/** What no operation is at: a path that is no text, or one with parameters (RFC 3986, 3.3) or a fragment. */
const isPlain = (path: string) => {
  if (/[;#]/.test(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** What is wrong with an answer; nothing when it is one that the document declares. */
export const judge = (method: string, path: string, status: number, headers: IncomingHttpHeaders, text: string) => {
  if (headers["x-request-id"] === undefined) return "has no X-Request-Id"
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  const body = isJson && text !== "" ? parsed(text) : text
  if (body === undefined) return "is no JSON"
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : ""
  if (unreadable.get(status) === code) return undefined
  const answer = { status, headers: new Headers({ "content-type": headers["content-type"] ?? "" }), body, text }
  const declared = isPlain(path.split("?", 1)[0] ?? "") ? declaredAs(method, path, answer) : undefined
  // A page, or another method: a template cannot be had by HEAD either.
  if (declared === undefined) return status >= 500 && status !== 501 ? `is ${status}` : undefined
  if (status >= 500) {
    const responses = operations.find(({ operationId }) => operationId === declared.id)?.responses
    const own = responses?.[String(status)]
    if (own === undefined || isShared(own) || broken.has(code)) return `is ${status}`
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
