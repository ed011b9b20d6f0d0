import { Context, Effect, Layer, Schedule, Schema, Struct } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { limitOf, offsetOf } from "../../kernel/Envelope.ts"
import { OrganizationId, WebhookId } from "../../kernel/Ids.ts"
import { archived_events, EventKey, EventText, test_event } from "../events/Event.ts"
import { every_event } from "../subscriptions/Webhook.ts"
import { bigints } from "../../platform/sql/statements/Columns.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { purged_rows_max } from "../../platform/sql/statements/Purge.ts"
import { PreviousSecret } from "../subscriptions/WebhookSecret.ts"
import { Attempt, type LogQuery } from "./Attempt.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { isHere } from "../../platform/sql/statements/Moved.ts"
import { relay_turn } from "./RelayTurn.ts"

export const DueDelivery = Schema.Struct({
  ...EventText.fields,
  id: Schema.Int,
  webhook_id: WebhookId,
  attempts: Schema.Int,
  traceparent: Schema.NullOr(Schema.String),
  url: Schema.String,
  is_active: Schema.Boolean,
  secret: Schema.String,
  previous_secrets: Schema.Array(PreviousSecret),
  /** Time since the delivery became due. */
  waiting_ms: Schema.Finite,
  /** Time since the first of the current failures; null when the last attempt succeeded. */
  failing_ms: Schema.NullOr(Schema.Finite),
  /** Number of due deliveries up to the limit, of which the size of the events may leave some out. */
  found: Schema.Int
})
export type DueDelivery = typeof DueDelivery.Type

const DueRequest = Schema.Struct({
  lease: Schema.String,
  webhook_id: WebhookId,
  /** Ids of deliveries that are in progress and must not be returned. */
  except: Schema.Array(Schema.Int),
  limit: Schema.Int,
  /** Total size of the events, unless the first one is larger. */
  bytes_max: Schema.Int
})
export type DueRequest = typeof DueRequest.Type

const Finished = Schema.Struct({
  ...Struct.omit(Attempt.fields, ["id", "created_at", "next_attempt_at"]),
  delivery_id: Schema.Int,
  /** Milliseconds until the next attempt; null when there is none. */
  pause_ms: Schema.NullOr(Schema.Finite),
  /** True when the address accepted the delivery; null when no request was sent. */
  succeeded: Schema.NullOr(Schema.Boolean)
})
export type Finished = typeof Finished.Type

const record_attempts_max = 5
const record_pause = "1 second"

export class DeliveriesRepo extends Context.Service<DeliveriesRepo>()("invoicing/webhooks/deliveries/DeliveriesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const is_here = isHere(sql)

    /**
     * Creates deliveries, and then wakes the lanes of their webhooks. Does nothing while another process creates
     * deliveries.
     */
    const relay = SqlSchema.findOne({
      Request: Schema.Struct({ limit: Schema.Int }),
      Result: Schema.Struct({ events: Schema.Int, archived: Schema.Array(EventKey) }),
      execute: ({ limit }) => sql`
        with turn as materialized (select pg_try_advisory_xact_lock(${relay_turn}) as is_ours),
        batch as materialized (
          select organization_id, sequence, type, position from outbox
          where relayed_at is null and (select is_ours from turn)
            and ${is_here}
          order by position limit ${limit} for update skip locked),
        relayed as (
          update outbox set relayed_at = now() from batch
          where outbox.organization_id = batch.organization_id and outbox.sequence = batch.sequence),
        made as (
          insert into webhook_deliveries (organization_id, webhook_id, sequence, due_at)
          select batch.organization_id, w.id, batch.sequence, now()
          from batch join webhooks w on w.organization_id = batch.organization_id
          where w.is_active and w.deleted_at is null and batch.sequence > w.after_sequence
            and w.events && array[batch.type, ${every_event}]::text[]
          order by batch.position, w.id
          returning organization_id, webhook_id, sequence),
        lanes as (
          select webhook_id from webhook_lanes where webhook_id in (select webhook_id from made)
          order by webhook_id for update),
        woken as (
          update webhook_lanes set due_at = least(due_at, now()) from lanes
          where webhook_lanes.webhook_id = lanes.webhook_id)
        select (select count(*) from batch) as events,
          (select coalesce(jsonb_agg(distinct jsonb_build_object('organization_id', organization_id, 'sequence', sequence)),
              '[]')
            from made join batch using (organization_id, sequence) where ${sql.in("type", archived_events)}) as archived`
    })

    // The walk from delivery to delivery ends at the limits, so the content of the events after it is not read.
    const due = SqlSchema.findAll({
      Request: DueRequest,
      Result: DueDelivery,
      execute: ({ bytes_max, except, lease, limit, webhook_id }) => sql`
        with recursive first as materialized (
          select d.id, d.organization_id, d.webhook_id, d.sequence, d.attempts, d.due_at, o.event_id, o.type,
            o.occurred_at, o.data, o.traceparent, w.url, w.is_active, w.secret, w.previous_secrets, w.failing_since
          from webhook_lanes l
          join webhooks w on w.organization_id = l.organization_id and w.id = l.webhook_id
          join webhook_deliveries d on d.organization_id = l.organization_id and d.webhook_id = l.webhook_id
          join outbox o on o.organization_id = d.organization_id and o.sequence = d.sequence
          where l.webhook_id = ${webhook_id} and l.lease = ${lease}::uuid
            and ${isHere(sql, "l.organization_id")}
            and d.due_at <= now() and d.id <> all (${`{${except.join(",")}}`}::bigint[])
          order by d.due_at, d.id limit ${limit}),
        waiting as materialized (select *, row_number() over (order by due_at, id) as place from first),
        sized as (
          select 0::bigint as place, 0 as bytes
          union all
          select next.place, sized.bytes + octet_length(next.data::text)
          from sized join waiting next on next.place = sized.place + 1
          where next.place = 1 or sized.bytes + octet_length(next.data::text) <= ${bytes_max})
        select id, organization_id, webhook_id, sequence, attempts, event_id, type, occurred_at, data::text, traceparent,
          url, is_active, secret, previous_secrets,
          1000 * extract(epoch from now() - due_at)::float8 as waiting_ms,
          1000 * extract(epoch from now() - failing_since)::float8 as failing_ms,
          (select count(*) from waiting)::integer as found
        from waiting join sized using (place) order by place`
    })

    /**
     * Attempts are recorded in the order in which they ended. A second record of an attempt changes nothing. The
     * failing time of a webhook starts at the first failure after its last success, or after a time without attempts.
     */
    const finish = SqlSchema.void({
      Request: Schema.Struct({ done: Schema.Array(Finished), quiet_ms_max: Schema.Finite }),
      execute: ({ done, quiet_ms_max }) => sql`
        with done as materialized (
          select * from rows from (json_to_recordset(${JSON.stringify(done)}::json) as (delivery_id bigint, event_id text,
            event text, attempt integer, status text, response_status integer, response_body text, duration_ms integer,
            error text, pause_ms float8, succeeded boolean)) with ordinality as done (delivery_id, event_id, event,
            attempt, status, response_status, response_body, duration_ms, error, pause_ms, succeeded, place)),
        finished as (
          update webhook_deliveries d set status = done.status, attempts = done.attempt,
            due_at = now() + done.pause_ms * interval '1 millisecond'
          from done
          where d.id = any (${bigints(done.map(({ delivery_id }) => delivery_id))}::bigint[])
            and d.id = done.delivery_id and d.attempts = done.attempt - 1 and d.due_at is not null
          returning d.organization_id, d.webhook_id, d.due_at, done.*),
        judged as (
          update webhooks w set failing_since = case when told.lastly then null else now() end
          from (
            select organization_id, webhook_id, bool_or(succeeded) as partly,
              (array_agg(succeeded order by place desc))[1] as lastly
            from finished where succeeded is not null group by 1, 2) told
          where w.organization_id = told.organization_id and w.id = told.webhook_id
            and (told.partly <> told.lastly or (w.failing_since is not null) = told.lastly or (not told.lastly
              and coalesce((
                select a.created_at from webhook_attempts a
                where a.organization_id = w.organization_id and a.webhook_id = w.id and a.event <> ${test_event}
                order by a.id desc limit 1) < now() - ${quiet_ms_max} * interval '1 millisecond', true))))
        insert into webhook_attempts (organization_id, webhook_id, event_id, event, attempt, status, response_status,
          response_body, duration_ms, error, next_attempt_at)
        select organization_id, webhook_id, event_id, event, attempt, status, response_status, response_body,
          duration_ms, error, due_at
        from finished order by place`
    })

    const insertAttempt = SqlSchema.void({
      Request: Schema.Struct({
        ...Struct.omit(Attempt.fields, ["id", "created_at"]),
        organization_id: OrganizationId,
        webhook_id: WebhookId
      }),
      execute: (attempt) => sql`insert into webhook_attempts ${sql.insert(attempt)}`
    })

    const pages = pagesOf(Attempt.fields)
    // The index contains the columns of the filters, so that only the rows of the page are read from the table.
    const log = Effect.fn("DeliveriesRepo.log")(function* (
      organization_id: OrganizationId,
      webhook_id: WebhookId,
      query: LogQuery
    ) {
      const where = sql.and([
        sql`organization_id = ${organization_id}`,
        sql`webhook_id = ${webhook_id}`,
        ...conditionsOf(query, {
          status: (status) => sql`status = ${status}`,
          event: (event) => sql`event = ${event}`
        })
      ])
      return yield* pages(
        query,
        (request) => sql<Listed>`
          select a.id, a.event_id, a.event, a.attempt, a.status, a.response_status, a.response_body, a.duration_ms, a.error,
            a.next_attempt_at, a.created_at,
            (select count(*)::integer from webhook_attempts where ${where}) as list_total
          from (
            select id from webhook_attempts where ${where}
            order by id desc limit ${limitOf(request)} offset ${offsetOf(request)}) listed
          join webhook_attempts a on a.id = listed.id and a.organization_id = ${organization_id}
          order by a.id desc`
      )
    }, Effect.orDie)

    const isOld = (column: "created_at" | "relayed_at", kept_days: number) =>
      sql`${sql.literal(column)} < now() - make_interval(days => ${kept_days})`
    const removeOld = (table: "webhook_attempts" | "webhook_deliveries") => (kept_days: number) =>
      sql`
      delete from ${sql.literal(table)} where id in (
        select id from ${sql.literal(table)} where ${isOld("created_at", kept_days)}
        order by created_at limit ${purged_rows_max})
      returning id`

    /** Removes no event while there are deliveries that refer to old events. */
    const removeEvents = (kept_days: number) => sql`
      delete from outbox where (organization_id, sequence) in (
        select organization_id, sequence from outbox where ${isOld("relayed_at", kept_days)}
          and not exists (select from webhook_deliveries where ${isOld("created_at", kept_days)})
        order by relayed_at limit ${purged_rows_max})
      returning sequence`

    // The age is that of the lane for which no process has come for longest. The age of deliveries would tell of
    // receivers that fail, because a lane that fails sends its deliveries slowly.
    const backlog = SqlSchema.findOne({
      Request: Schema.Struct({ count_max: Schema.Int }),
      Result: Schema.Struct({ deliveries: Schema.Int, age_seconds: Schema.Finite, outbox_seconds: Schema.Finite }),
      execute: ({ count_max }) => sql`
        select count(*) as deliveries,
          greatest(extract(epoch from now() - (
            select min(coalesce(leased_until, due_at)) from webhook_lanes where ${is_here})), 0)::float8 as age_seconds,
          coalesce(extract(epoch from now() - (
            select occurred_at from outbox where relayed_at is null and ${is_here}
            order by position limit 1)), 0)::float8 as outbox_seconds
        from (
          select d.due_at from webhook_deliveries d join webhook_lanes using (webhook_id)
          where d.due_at <= now() and ${isHere(sql, "d.organization_id")} order by d.due_at limit ${count_max}) due`
    })

    return {
      ...traced("DeliveriesRepo", {
        relay,
        due,
        insertAttempt,
        removeAttempts: removeOld("webhook_attempts"),
        removeDeliveries: removeOld("webhook_deliveries"),
        removeEvents,
        backlog
      }),
      // An attempt that is not recorded would be repeated. So if the database is down for a short time, the recording
      // is retried.
      finish: Effect.fn("DeliveriesRepo.finish")(
        finish,
        Effect.retry({
          while: (error) => SqlError.isSqlError(error),
          times: record_attempts_max - 1,
          schedule: Schedule.spaced(record_pause)
        }),
        Effect.orDie
      ),
      log
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
