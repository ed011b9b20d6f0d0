import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { EventName } from "../../kernel/EventName.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { EventKey, EventText, StoredEvent } from "./Event.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Bound = Schema.NullOr(Schema.Int)

/** Reads the table `outbox`, in which events become visible in the order of their sequence numbers. */
export class EventsRepo extends Context.Service<EventsRepo>()("invoicing/webhooks/events/EventsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // The walk from event to event ends at the limits of the page, so the content of the events after the first one beyond it is not read.
    const list = SqlSchema.findAll({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        after: Schema.Int,
        /** Sequence number of the last event that is searched. */
        until: Schema.Int,
        types: Schema.UndefinedOr(Schema.Array(EventName)),
        limit: Schema.Int,
        bytes_max: Schema.Int
      }),
      Result: Schema.Struct({
        ...StoredEvent.fields,
        /** True if the event is not on the page, because events before it already have `limit` or `bytes_max`. */
        is_beyond: Schema.Boolean
      }),
      execute: ({ after, bytes_max, limit, organization_id, types, until }) => {
        const next = (position: Fragment) => sql`
          (select organization_id, sequence, event_id, type, occurred_at, data from outbox
          where organization_id = ${organization_id} and sequence > ${position} and sequence <= ${until}
            and ${types === undefined ? sql`true` : sql.in("type", types)}
          order by sequence limit 1)`
        return sql`
          with recursive page as (
            select *, 0 as place, 0 as bytes_before, false as is_beyond from ${next(sql`${after}`)} first
            union all
            select next.*, so_far.place, so_far.bytes, so_far.place >= ${limit} or so_far.bytes >= ${bytes_max}
            from page
            cross join lateral (
              select page.place + 1 as place, page.bytes_before + octet_length(page.data::text) as bytes) so_far
            cross join lateral ${next(sql`page.sequence`)} next
            where not page.is_beyond)
          select organization_id, sequence, event_id, type, occurred_at, data, is_beyond from page order by place`
      }
    })

    const find = SqlSchema.findOneOption({
      Request: EventKey,
      Result: Schema.Struct({ ...EventText.fields, record_id: Schema.Int }),
      execute: ({ organization_id, sequence }) => sql`
        select organization_id, sequence, event_id, type, occurred_at, data::text, (data ->> 'id')::bigint as record_id
        from outbox
        where organization_id = ${organization_id} and sequence = ${sequence}`
    })

    const bounds = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ oldest_sequence: Bound, latest_sequence: Bound }),
      execute: (organization_id) => sql`
        select min(sequence) as oldest_sequence, max(sequence) as latest_sequence from outbox
        where organization_id = ${organization_id}`
    })

    return traced("EventsRepo", { find, list, bounds })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
