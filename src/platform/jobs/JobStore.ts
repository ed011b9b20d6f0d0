import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { lock_expiration } from "./Jobs.ts"

/** Maximum number of characters of a failure that are returned. */
const failure_characters_max = 4000

export const QueueFigures = Schema.Struct({
  queue: Schema.String,
  /** Number of unfinished jobs that are not running, including those that wait for their next attempt. */
  waiting: Schema.Int,
  /** Number of waiting jobs that are not due yet. */
  planned: Schema.Int,
  running: Schema.Int,
  /** Number of jobs whose last attempt failed; they are kept for 90 days. */
  dead: Schema.Int,
  /** Seconds since the oldest due job became due; 0 if no job is due. */
  oldest_waiting_seconds: Schema.Finite,
  /** Number of attempts that the unfinished jobs have used so far. */
  attempts: Schema.Int
})
export type QueueFigures = typeof QueueFigures.Type

export const DeadJob = Schema.Struct({
  /** Unique among the jobs of all queues; `job` is unique within its queue. */
  id: Schema.Int,
  queue: Schema.String,
  job: Schema.String,
  attempts: Schema.Int,
  created_at: Timestamp,
  failed_at: Timestamp,
  failure: Schema.String
})
export type DeadJob = typeof DeadJob.Type

const Page = Schema.Struct({ queue: Schema.NullOr(Schema.String), limit: Schema.Int, offset: Schema.Int })
const Key = Schema.Struct({ id: Schema.Int, queue: Schema.String, job: Schema.String })

const Named = Schema.Struct({ queue: Schema.String, id: Schema.String })
const JobPlace = Schema.Struct({ isRunning: Schema.Boolean, position: Schema.Int })

/** Shows unfinished and dead jobs, and retries or deletes dead ones. Workers take their jobs through `Jobs` instead. */
export class JobStore extends Context.Service<
  JobStore,
  {
    /** Lists the queues that have jobs, sorted by name. */
    readonly overview: Effect.Effect<ReadonlyArray<QueueFigures>>
    /** Returns those of the given ids that are ids of unfinished jobs. */
    readonly pendingIds: (queue: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** The latest failure comes first. */
    readonly listDead: (
      page: typeof Page.Type
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<DeadJob>; readonly total: number }>
    readonly findDead: (id: number) => Effect.Effect<Option.Option<DeadJob>>
    /** Gives a dead job as many attempts as a new one, under its id. None if there is no such dead job. */
    readonly retry: (id: number) => Effect.Effect<Option.Option<typeof Key.Type>>
    /** Tells whether an unfinished job runs, and its position in the queue; none if the job has ended. */
    readonly placeOf: (job: typeof Named.Type) => Effect.Effect<Option.Option<typeof JobPlace.Type>>
    /** Deletes a dead job. None if there is no such dead job. */
    readonly discard: (id: number) => Effect.Effect<Option.Option<typeof Key.Type>>
  }
>()("invoicing/platform/jobs/JobStore") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = sql.literal("sequence as id, queue_name as queue, id as job")
      // The queue stores timestamps without a time zone, in the time zone of the session, which is UTC.
      const utc = (column: string) => sql.literal(`${column} at time zone 'UTC'`)

      const held = sql`coalesce(acquired_at > localtimestamp - ${lock_expiration}::interval, false)`

      // A job that got a turn became due at `updated_at`, because its turn may be far in the past (see `JobTurnsRepo`).
      const due_at = sql.literal("greatest(visible_at, updated_at)")

      const overview = SqlSchema.findAll({
        Request: Schema.Void,
        Result: QueueFigures,
        execute: () => {
          return sql`
            with pending as (
              select queue_name as queue, count(*) filter (where not ${held}) as waiting,
                count(*) filter (where not ${held} and visible_at > localtimestamp) as planned,
                count(*) filter (where ${held}) as running, sum(attempts) as attempts,
                extract(epoch from localtimestamp - min(${due_at}) filter (where not ${held})) as late_seconds
              from jobs where state = 'pending' group by queue_name),
            failed as (select queue_name as queue, count(*) as dead from jobs where state = 'failed' group by queue_name)
            select queue, coalesce(waiting, 0)::integer as waiting, coalesce(planned, 0)::integer as planned, coalesce(running, 0)::integer as running,
              coalesce(dead, 0)::integer as dead, greatest(late_seconds, 0)::float8 as oldest_waiting_seconds,
              coalesce(attempts, 0)::integer as attempts
            from pending full join failed using (queue) order by queue`
        }
      })

      const placeOf = SqlSchema.findOneOption({
        Request: Named,
        Result: JobPlace,
        execute: ({ id, queue }) => sql`
          select "isRunning", position::integer from (
            select id, ${held} as "isRunning", count(*) filter (where not ${held}) over (order by visible_at, sequence) as position
            from jobs where queue_name = ${queue} and state = 'pending') as waiting
          where id = ${id}`
      })

      const pending = SqlSchema.findAll({
        Request: Schema.Struct({ queue: Schema.String, ids: Schema.Array(Schema.String) }),
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ ids, queue }) => sql`
          select id from jobs where queue_name = ${queue} and state = 'pending' and ${sql.in("id", ids)}`
      })

      const ofQueue = (queue: string | null) =>
        sql`state = 'failed' and (${queue}::text is null or queue_name = ${queue})`

      const record = sql`${key}, attempts, ${utc("created_at")} as created_at, ${utc("updated_at")} as failed_at,
        left(coalesce(last_failure, ''), ${failure_characters_max}) as failure`

      const dead = SqlSchema.findAll({
        Request: Page,
        Result: DeadJob,
        execute: ({ limit, offset, queue }) => sql`
          select ${record} from jobs where ${ofQueue(queue)}
          order by updated_at desc, sequence desc limit ${limit} offset ${offset}`
      })
      const findDead = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: DeadJob,
        execute: (id) => sql`select ${record} from jobs where sequence = ${id} and state = 'failed'`
      })
      const countDead = SqlSchema.findOne({
        Request: Schema.NullOr(Schema.String),
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (queue) => sql`select count(*) as total from jobs where ${ofQueue(queue)}`
      })

      const retry = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: Key,
        execute: (id) => sql`
          update jobs set state = 'pending', attempts = 0, visible_at = localtimestamp
          where sequence = ${id} and state = 'failed' returning ${key}`
      })
      const discard = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: Key,
        execute: (id) => sql`delete from jobs where sequence = ${id} and state = 'failed' returning ${key}`
      })

      const logChange = (what: string) => (job: Option.Option<typeof Key.Type>) =>
        Option.isNone(job)
          ? Effect.void
          : Effect.logInfo(`dead job ${what}`).pipe(
              Effect.annotateLogs({ job: job.value.queue, job_id: job.value.job })
            )

      return JobStore.of({
        overview: Effect.orDie(overview()).pipe(Effect.withSpan("JobStore.overview")),
        pendingIds: Effect.fn("JobStore.pendingIds")(function* (queue, ids) {
          const found = ids.length === 0 ? [] : yield* pending({ queue, ids })
          return new Set(found.map(({ id }) => id))
        }, Effect.orDie),
        listDead: Effect.fn("JobStore.listDead")(function* (page) {
          return { rows: yield* dead(page), total: (yield* countDead(page.queue)).total }
        }, Effect.orDie),
        findDead: Effect.fn("JobStore.findDead")(findDead, Effect.orDie),
        retry: Effect.fn("JobStore.retry")(retry, Effect.orDie, Effect.tap(logChange("retried"))),
        placeOf: Effect.fn("JobStore.placeOf")(placeOf, Effect.orDie),
        discard: Effect.fn("JobStore.discard")(discard, Effect.orDie, Effect.tap(logChange("discarded")))
      })
    })
  )
}
