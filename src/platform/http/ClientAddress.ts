import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The network address that a request comes from: of the client itself where a trusted proxy says it. */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(remoteAddress, () => "unknown")
