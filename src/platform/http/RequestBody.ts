import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

export const json_body_bytes_max = 5 * 1024 * 1024
const json_depth_max = 64

const methods = new Set(["POST", "PUT", "PATCH", "DELETE"])

const isJson = ({ headers, method }: HttpServerRequest.HttpServerRequest) =>
  methods.has(method) && /^application\/json\b/i.test(headers["content-type"] ?? "application/json")

/** Whether a JSON body says beforehand that it is too large, so that none of it need be waited for. */
export const isAnnouncedTooLarge = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isJson(request) && Number(request.headers["content-length"] ?? 0) > json_body_bytes_max

/** The text of a JSON body, read once and kept by the request; undefined for other requests. */
export const jsonText = (request: HttpServerRequest.HttpServerRequest) =>
  isJson(request) ? request.text : Effect.undefined

/** Whether arrays and objects nest deeper than allowed: checked before parsing, which recurses. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 0x5c) index++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > json_depth_max) return true
    } else if (character === 0x5d || character === 0x7d) depth--
  }
  return false
}
