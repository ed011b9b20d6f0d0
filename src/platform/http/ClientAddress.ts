import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { callerAt } from "./server/Callers.ts"

/**
 * Requests without a valid credential share one rate limit per client address. All addresses of an IPv6 network count
 * as one.
 */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.match(remoteAddress, { onNone: () => "unknown", onSome: callerAt })
