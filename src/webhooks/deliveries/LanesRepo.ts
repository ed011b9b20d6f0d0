import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { WebhookId } from "../../kernel/Ids.ts"
import { bigints } from "../../platform/sql/statements/Columns.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { isHere } from "../../platform/sql/statements/Moved.ts"

/** Reads the lanes of all organizations, because each process sends for all. A webhook's id is unique among them. */
export class LanesRepo extends Context.Service<LanesRepo>()("invoicing/webhooks/deliveries/LanesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // Claiming a lane clears `due_at`. If a new delivery sets `due_at` again, the lane is still due after its release.
    const claim = SqlSchema.findAll({
      Request: Schema.Struct({ lease: Schema.String, lease_seconds: Schema.Int, limit: Schema.Int }),
      Result: Schema.Struct({ webhook_id: WebhookId }),
      execute: ({ lease, lease_seconds, limit }) => sql`
        update webhook_lanes set lease = ${lease}::uuid, due_at = null,
          leased_until = now() + ${lease_seconds} * interval '1 second'
        from (
          select webhook_id from webhook_lanes where coalesce(leased_until, due_at) <= now()
            and ${isHere(sql)}
          order by coalesce(leased_until, due_at) limit ${limit} for update skip locked) due
        where webhook_lanes.webhook_id = due.webhook_id returning webhook_lanes.webhook_id`
    })

    const keep = SqlSchema.void({
      Request: Schema.Struct({ lease: Schema.String, lease_seconds: Schema.Int, ids: Schema.Array(WebhookId) }),
      execute: ({ ids, lease, lease_seconds }) => sql`
        update webhook_lanes set leased_until = now() + ${lease_seconds} * interval '1 second'
        from (
          select webhook_id from webhook_lanes where lease = ${lease}::uuid
            and webhook_id = any (${bigints(ids)}::bigint[]) order by webhook_id for update) kept
        where webhook_lanes.webhook_id = kept.webhook_id`
    })

    // Releases a lane. If it has more due deliveries, it becomes due now, i.e. after the lanes that are waiting
    // already.
    const leave = SqlSchema.void({
      Request: Schema.Struct({ lease: Schema.String, webhook_id: WebhookId }),
      execute: ({ lease, webhook_id }) => sql`
        update webhook_lanes set lease = null, leased_until = null,
          due_at = case when coalesce(due_at, left_over.first) is not null
            then greatest(least(due_at, left_over.first), now()) end
        from (
          select min(due_at) as first from webhook_deliveries
          where webhook_id = ${webhook_id} and due_at is not null) left_over
        where webhook_id = ${webhook_id} and lease = ${lease}::uuid`
    })

    const leaveAll = SqlSchema.void({
      Request: Schema.Struct({ lease: Schema.String }),
      execute: ({ lease }) => sql`
        update webhook_lanes set lease = null, leased_until = null, due_at = now()
        from (
          select webhook_id from webhook_lanes where lease = ${lease}::uuid order by webhook_id for update) held
        where webhook_lanes.webhook_id = held.webhook_id`
    })

    return traced("LanesRepo", { claim, keep, leave, leaveAll })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
