import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { callerAt } from "./server/Callers.ts"

/** Requests without a valid credential share a rate limit per address or IPv6 network. */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.match(remoteAddress, { onNone: () => "unknown", onSome: callerAt })
