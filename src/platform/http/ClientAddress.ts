import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { callerAt } from "./server/Callers.ts"

/** What a request without a credential, or a guess at one, counts for: the client's address, of IPv6 its network. */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.match(remoteAddress, { onNone: () => "unknown", onSome: callerAt })
