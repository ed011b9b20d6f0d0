import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../sql/Traced.ts"

/**
 * The queue takes the earliest `visible_at` first, so this column contains a virtual time: an organization's first job
 * gets the time of the next job in the queue, and each further job a millisecond more. Of ten jobs of one organization
 * and one of another, the single job is therefore the second to run. While the queue is never empty, the virtual time
 * falls behind the clock.
 *
 * For a job with a turn, `updated_at` is the time at which it became due. A job that waits for its time, or has no turn
 * since then, has a later `visible_at`: the queue writes it for a delayed job and after a failure.
 */
export class JobTurnsRepo extends Context.Service<JobTurnsRepo>()("invoicing/platform/jobs/JobTurnsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const hasTurn = sql.literal("visible_at <= updated_at")
    const isWaiting = sql.literal("state = 'pending' and acquired_at is null and organization_id is not null")

    /** Returns the turn behind the organization's jobs that have one; null in an empty queue. */
    const nextTurn = (queue: Statement.Fragment, organization_id: Statement.Fragment) => sql`greatest(
      (select min(visible_at) from jobs where queue_name = ${queue} and ${isWaiting}),
      (select max(visible_at) + interval '1 millisecond' from jobs
        where queue_name = ${queue} and ${isWaiting} and organization_id = ${organization_id} and ${hasTurn}))`

    const assign = SqlSchema.void({
      Request: Schema.Struct({ queue: Schema.String, id: Schema.String, organization_id: OrganizationId }),
      execute: ({ id, organization_id, queue }) => sql`
        update jobs set organization_id = ${organization_id},
          visible_at = case when ${hasTurn} then least(visible_at, ${nextTurn(sql`${queue}`, sql`${organization_id}`)})
            else visible_at end
        where queue_name = ${queue} and id = ${id} and state = 'pending' and organization_id is null`
    })

    const assignDue = SqlSchema.void({
      Request: Schema.Struct({ limit: Schema.Int }),
      execute: ({ limit }) => sql`
        with due as (
          select sequence, queue_name as queue, organization_id as owner, visible_at as due_at from jobs
          where ${isWaiting} and not ${hasTurn} and visible_at <= localtimestamp
          order by visible_at, sequence limit ${limit} for update skip locked),
        placed as (
          select due.*, row_number() over (partition by queue, owner order by due_at, sequence) - 1 as place from due)
        update jobs set updated_at = due_at, visible_at = least(due_at,
          ${nextTurn(sql.literal("placed.queue"), sql.literal("placed.owner"))} + place * interval '1 millisecond')
        from placed where jobs.sequence = placed.sequence`
    })

    return traced("JobTurnsRepo", {
      /** Gives a newly offered job its turn; a job that was offered before keeps its turn, and a delayed one has none. */
      assign,
      /** Gives a turn to jobs, of all queues and organizations, that became due after a delay or a failure. */
      assignDue
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
