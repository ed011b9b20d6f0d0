import { Context, Effect, Layer } from "effect"
import { limitOf } from "../../kernel/Envelope.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { eventOf, type EventPage } from "./Event.ts"
import { EventsRepo } from "./EventsRepo.ts"

/** Days for which events, deliveries and attempts are stored. */
export const kept_days = 30

interface EventsRequest {
  readonly after?: number
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
        const { after = 0 } = request
        const limit = limitOf(request)
        const bounds = yield* repo.bounds(organization_id)
        const found = yield* repo.list({ organization_id, after, limit: limit + 1 })
        const rows = found.slice(0, limit)
        return {
          success: true,
          data: rows.map(eventOf),
          meta: {
            after,
            next_after: rows.at(-1)?.sequence ?? after,
            has_more: found.length > limit,
            ...bounds,
            kept_days
          }
        } as const
      })

      return Events.of({ list })
    })
  ).pipe(Layer.provide(EventsRepo.layer))
}
