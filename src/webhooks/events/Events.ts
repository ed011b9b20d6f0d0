import { Context, Effect, Layer } from "effect"
import { limitOf } from "../../kernel/Envelope.ts"
import type { EventName } from "../../kernel/EventName.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { eventOf, type EventPage } from "./Event.ts"
import { EventsRepo } from "./EventsRepo.ts"

/** Days for which events, deliveries and attempts are stored. */
export const kept_days = 30
/** Maximum number of events that a request with the filter `types` searches; the next request continues after them. */
const searched_max = 5_000
/** Size at which a page ends, so that a request for large events does not fill the memory of the process. */
const page_bytes_max = 8 * 1024 * 1024

interface EventsRequest {
  readonly after?: number
  readonly types?: ReadonlyArray<EventName>
  readonly per_page?: number
}

/** Returns the events of an organization, for receivers that missed some. */
export class Events extends Context.Service<
  Events,
  { readonly list: (request: EventsRequest) => Effect.Effect<EventPage, never, CurrentOrganization> }
>()("invoicing/webhooks/events/Events") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EventsRepo

      const list = Effect.fn("Events.list")(function* (request: EventsRequest) {
        const { id: organization_id } = yield* CurrentOrganization
        const { after = 0, types } = request
        const limit = limitOf(request)
        const bounds = yield* repo.bounds(organization_id)
        const latest = bounds.latest_sequence ?? 0
        const first = Math.max(after + 1, bounds.oldest_sequence ?? 1)
        const until = types === undefined ? latest : Math.min(first + searched_max - 1, latest)
        const found = yield* repo.list({ organization_id, after, until, types, limit, bytes_max: page_bytes_max })
        const rows = found.filter(({ is_beyond }) => !is_beyond)
        const isFull = rows.length < found.length
        const next_after = isFull ? (rows.at(-1)?.sequence ?? after) : Math.max(after, until)
        return {
          success: true,
          data: rows.map(eventOf),
          meta: {
            after,
            next_after,
            has_more: isFull || until < latest,
            ...bounds,
            kept_days
          }
        } as const
      })

      return Events.of({ list })
    })
  ).pipe(Layer.provide(EventsRepo.layer))
}
