import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { EventName } from "../../kernel/EventName.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { EventKey, EventText, StoredEvent } from "./Event.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Bound = Schema.NullOr(Schema.Int)

/** Reads the table `outbox`, in which events become visible in the order of their sequence numbers. */
export class EventsRepo extends Context.Service<EventsRepo>()("invoicing/webhooks/events/EventsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        after: Schema.Int,
        /** Sequence number of the last event that is searched. */
        until: Schema.Int,
        types: Schema.UndefinedOr(Schema.Array(EventName)),
        limit: Schema.Int
      }),
      Result: StoredEvent,
      execute: ({ after, limit, organization_id, types, until }) => sql`
        select organization_id, sequence, event_id, type, occurred_at, data from outbox
        where organization_id = ${organization_id} and sequence > ${after} and sequence <= ${until}
          and ${types === undefined ? sql`true` : sql.in("type", types)}
        order by sequence limit ${limit}`
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
