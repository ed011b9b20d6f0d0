import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"

export const json_body_bytes_max = 5 * 1024 * 1024
const json_depth_max = 64
/** The largest batch that fits into 5 MiB has 400,000. */
const json_values_max = 500_000
/** An object with more names than any record has costs a hundred times what a list of the same length does. */
const json_names_max = 1_000
/** Of forms, which take time that grows with the square of their fields, and of whatever strangers send to /oauth. */
const small_body_bytes_max = 16 * 1024

const methods = new Set(["POST", "PUT", "PATCH", "DELETE"])

const isJson = ({ headers, method }: HttpServerRequest.HttpServerRequest) =>
  methods.has(method) && /^application\/json\b/i.test(headers["content-type"] ?? "application/json")

const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")

/** Reads a body that may only be small before its endpoint does, and fails when it is not. */
export const boundSmallBody = (request: HttpServerRequest.HttpServerRequest) =>
  methods.has(request.method) && (isForm(request) || request.url.startsWith("/oauth/"))
    ? Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(small_body_bytes_max))
    : Effect.void

/** Whether a JSON body says beforehand that it is too large, so that none of it need be waited for. */
export const isAnnouncedTooLarge = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isJson(request) && Number(request.headers["content-length"] ?? 0) > json_body_bytes_max

/** The text of a JSON body, read once and kept by the request; undefined for other requests. */
export const jsonText = (request: HttpServerRequest.HttpServerRequest) =>
  isJson(request) ? request.text : Effect.undefined

/** Whether a JSON text nests deeper or holds more than allowed: seen before parsing, which recurses and waits. */
export const excessOf = (text: string): "depth" | "values" | undefined => {
  let depth = 0
  let values = 1
  /** Of the object at each depth; a list has none. */
  const names: Array<number> = []
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 0x5c) index++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > json_depth_max) return "depth"
      if (++values > json_values_max) return "values"
      names[depth] = character === 0x7b ? 1 : -json_values_max
    } else if (character === 0x5d || character === 0x7d) depth--
    else if (character === 0x2c) {
      const more = (names[depth] ?? 0) + 1
      if (++values > json_values_max || more > json_names_max) return "values"
      names[depth] = more
    }
  }
  return undefined
}
