import { ByteSize, Effect, Option, Predicate, Result, Stream } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { jsonScan } from "./JsonScan.ts"
import { routedPath } from "./Routing.ts"
import { onePerKey } from "../../jobs/OnePerKey.ts"
import { hasPageFiles } from "../Upload.ts"

export const json_body_bytes_max = 5 * 1024 * 1024
/** The largest batch in 5 MiB has 400,000 values, which take 40 ms to parse. */
const batch_values_max = 500_000
/** The limit outside a batch: a document of 500 lines with 10 tax rates each has 50,000 values. */
const values_max = 100_000
/** A body of more bytes, or of unknown length, counts as large. Only some large bodies are read at a time. */
const large_body_bytes = 64 * 1024
/** Maximum number of large bodies that are read at a time; the others wait unread. */
const large_bodies_max = 32
/** Pace at which a large body is read, 5 MiB in 0.8 s, so that scanning it does not delay other requests. */
const large_pace = { units: 64 * 1024, duration: "10 millis", strategy: "shape" } as const
/** Limit outside the API, and for forms, whose parsing time grows with the square of the number of fields. */
const small_body_bytes_max = 16 * 1024
/** Limit for the forms of the panel and of customers, which contain long texts. Each letter may become nine bytes. */
const texts_bytes_max = 64 * 1024

const methods = new Set(["POST", "PUT", "PATCH", "DELETE"])
const for_programs = /^\/(?:api|rpc)\//
const with_texts = /^\/(?:admin|d)(?:\/|\?|$)/

/**
 * True for a JSON body of the API; the body of any other request is bounded by `boundSmallBody`. No DELETE has a body,
 * so the body of a DELETE is neither read nor refused.
 */
const isJson = ({ headers, method, url }: HttpServerRequest.HttpServerRequest) =>
  for_programs.test(routedPath(url)) &&
  methods.has(method) &&
  method !== "DELETE" &&
  /^application\/json\b/i.test(headers["content-type"] ?? "application/json")

const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")

/** True for a compressed body (RFC 9110, 8.4), which is refused because its unpacked size is unknown. */
export const isCoded = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  methods.has(method) &&
  !/^(?:identity)?$/i.test((headers["content-encoding"] ?? "").trim()) &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/**
 * Reads a body that must be small, before its endpoint reads it; fails if the body is larger. The media type does not
 * matter, because pages read any body as a form.
 */
export const boundSmallBody = (request: HttpServerRequest.HttpServerRequest) => {
  const { method, url } = request
  const isSmall =
    methods.has(method) && (isForm(request) || !(for_programs.test(routedPath(url)) || hasPageFiles(request)))
  const bytes_max = with_texts.test(url) ? texts_bytes_max : small_body_bytes_max
  return isSmall
    ? Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bytes_max))
    : Effect.void
}

/** True if a JSON body announces that it is too large, so that it is refused without being read. */
export const isAnnouncedTooLarge = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isJson(request) && Number(request.headers["content-length"] ?? 0) > json_body_bytes_max

/**
 * Returns the text of a JSON body, or the reason for a refusal: the body is too large or has too many values, is nested
 * too deeply, or is not UTF-8 (RFC 8259, 8.1). Undefined for other requests. A large body is checked while it arrives, so that it is
 * refused early and not held in memory.
 */
export const jsonText = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, caller: string) {
  if (!isJson(request)) return undefined
  const read = yield* isLarge(request) ? largeBodies(caller)(readLarge(request)) : readSmall(request)
  if (Predicate.isString(read)) return read
  const { text } = read
  // The body can be read only once, so later readers of the request's text get this text.
  Object.defineProperty(request, "text", { value: Effect.succeed(text) })
  return read
})

const scanOf = ({ url }: HttpServerRequest.HttpServerRequest) =>
  jsonScan(url.startsWith("/api/v1/batch/") ? batch_values_max : values_max)

const isLarge = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > large_body_bytes

/** The largest batch takes 15 MB until it is parsed, so only one large body per caller is read at a time. */
const largeBodies = onePerKey(large_bodies_max)

const readSmall = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(request.arrayBuffer, (buffer) => {
    const bytes = new Uint8Array(buffer)
    return scanOf(request)(bytes) ?? (isUtf8(bytes) ? { text: new TextDecoder().decode(bytes) } : "encoding")
  })

const readLarge = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const excessOf = scanOf(request)
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let bytes = 0
  const decode = (part?: Uint8Array) =>
    Result.match(
      Result.try(() => decoder.decode(part, { stream: part !== undefined })),
      { onFailure: () => "encoding" as const, onSuccess: (more) => void (text += more) }
    )
  const excess = yield* request.stream.pipe(
    Stream.throttle({ ...large_pace, cost: (parts) => parts.reduce((sum, { length }) => sum + length, 0) }),
    Stream.map((part) => {
      bytes += part.length
      return bytes > json_body_bytes_max ? "size" : (excessOf(part) ?? decode(part))
    }),
    Stream.filter((found) => found !== undefined),
    Stream.runHead
  )
  return Option.getOrElse(excess, () => decode() ?? { text })
})
