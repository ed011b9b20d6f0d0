import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { Logins } from "./Logins.ts"
import { SessionApi } from "./SessionApi.ts"

export const SessionHttp = HttpApiBuilder.group(
  contract.add(SessionApi),
  "session",
  Effect.fn(function* (handlers) {
    const logins = yield* Logins
    return handlers.handleAll({
      logout: () => Effect.as(logins.logout, { message: "Logged out." }),
      logoutAll: () => Effect.as(logins.logoutAll, { message: "Logged out on all devices." }),
      user: () => logins.user
    })
  })
)
