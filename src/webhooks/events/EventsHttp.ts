import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { Events } from "./Events.ts"
import { EventsApi } from "./EventsApi.ts"

export const EventsHttp = HttpApiBuilder.group(
  contract.add(EventsApi),
  "events",
  Effect.fn(function* (handlers) {
    const events = yield* Events
    return handlers.handleAll({ list: ({ query }) => events.list(query) })
  })
)
