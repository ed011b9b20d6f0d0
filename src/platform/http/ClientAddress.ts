import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { callerAt } from "./server/Callers.ts"

/** Requests without a valid credential are counted by client address; an IPv6 address counts as its network. */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.match(remoteAddress, { onNone: () => "unknown", onSome: callerAt })
