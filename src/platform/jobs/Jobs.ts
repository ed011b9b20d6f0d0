import { Cause, Context, type Duration, Effect, Exit, Layer, Logger, References, Schedule, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { SqlClient, SqlError } from "effect/sql"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { linksTo, traceparent } from "../observability/TraceContext.ts"
import { deadLetter, PermanentFailure } from "./PermanentFailure.ts"
import { recordJob, recordQueue } from "./JobMetrics.ts"
import { JobTurnsRepo } from "./JobTurnsRepo.ts"
import { sparingLoggers } from "./SparingLog.ts"

/** Work that is enqueued in the transaction that causes it, and done later, at least once, by any free process. */
interface Job<Payload> {
  readonly name: string
  readonly payload: Schema.Codec<Payload, unknown>
  /** After this many failures the job is a dead letter, which the administration can retry. */
  readonly attempts_max: number
  /** Pauses between the attempts, in whole seconds. */
  readonly back_off: Schedule.Schedule<unknown, number>
  /** Maximum number of jobs of this kind that one process runs concurrently. */
  readonly concurrency: number
  readonly time_limit: Duration.Input
}

export const job = <Payload>(definition: Job<Payload>): Job<Payload> => definition

/** Doubles the pause after each attempt, up to the maximum. */
export const backOff = (first: Duration.Input, longest: Duration.Input) =>
  Schedule.min([Schedule.exponential(first), Schedule.spaced(longest)])

interface Attempt {
  /** Number of this attempt, counted from 1. An attempt in a process that was killed counts, too. */
  readonly attempt: number
  /** True if no other attempt follows when this one fails. */
  readonly last: boolean
}

type Handler<Payload, E, R> = (payload: Payload, attempt: Attempt) => Effect.Effect<unknown, E, R>

interface Options {
  /** A job whose id was enqueued before is not enqueued again. */
  readonly id?: string
  readonly delay?: Duration.Input
  /**
   * Requires an `id`. Organizations take turns, so that none waits for all jobs of another. A delayed job gets its turn
   * when it is due.
   */
  readonly organization_id?: OrganizationId
  /** Trace context of the request that caused the job; by default that of the caller. */
  readonly traceparent?: string | null
}

const poll_interval = "1 second"
/** Time after which the jobs of a killed process are taken over; a living process refreshes its locks. */
export const lock_expiration = "45 seconds"
const lock_refresh_interval = "10 seconds"
const pause_in_outage = "1 second"
/** Time for which the id of a completed job is not accepted again. */
const completed_kept = "30 days"
const dead_letters_kept = "90 days"

/** Polls have no spans, because the polls of an idle process would bury the spans of requests. */
const unobserved = Layer.provide(
  Layer.merge(Layer.succeed(References.TracerEnabled, false), Layer.effect(Logger.CurrentLoggers, sparingLoggers))
)

/**
 * The store would first migrate its tables, which are made by this service's own migrations. This would wait for every
 * program that reads all tables, such as a backup or pg_dump, because it locks the table `jobs_migrations`. The store
 * has no other transaction, so it gets a client that runs none.
 */
const WithoutMigration = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(
    SqlClient.SqlClient,
    (sql) =>
      new Proxy(sql, {
        get: (client, key, proxy): unknown =>
          key === "withTransaction" ? () => Effect.succeed([]) : Reflect.get(client, key, proxy)
      })
  )
)

const Store = PersistedQueue.layerStoreSql({
  tableName: "jobs",
  pollInterval: poll_interval,
  lockExpiration: lock_expiration,
  lockRefreshInterval: lock_refresh_interval
}).pipe(Layer.provide(WithoutMigration), unobserved)

const Cleanup = PersistedQueue.layerCleanup({
  timeToLive: completed_kept,
  failedTimeToLive: dead_letters_kept
}).pipe(unobserved)

/** The queue fails only because of the database or the payload, and both failures are defects. */
const databaseFailure = (error: PersistedQueue.PersistedQueueError | Schema.SchemaError) => {
  const reason = Cause.isCause(error.cause) ? Cause.squash(error.cause) : error
  return Effect.die(SqlError.isSqlError(reason) ? reason : error)
}

/** Only a stopping process may interrupt a job; one that interrupts itself would be repeated forever. */
const interruptionFails = <A, E, R>(handling: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.exit(handling), (exit) =>
    Exit.hasInterrupts(exit) ? Effect.die(new Error("The handler interrupted itself.")) : exit
  )

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Enqueues the job in the caller's transaction. */
    readonly offer: <Payload>(job: Job<Payload>, payload: Payload, options?: Options) => Effect.Effect<void>
    /** Waits for one job and runs it. A failure of the handler is recorded and not passed on. */
    readonly take: <Payload, E, R>(job: Job<Payload>, handler: Handler<Payload, E, R>) => Effect.Effect<void, never, R>
  }
>()("invoicing/platform/jobs/Jobs") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const factory = yield* PersistedQueue.PersistedQueueFactory
      const turns = yield* JobTurnsRepo
      const tracing = yield* References.TracerEnabled
      // Loggers for the polls of a queue. Its first `take` starts the polls, which inherit the loggers of that call.
      const polling = yield* sparingLoggers

      const queueOf = <Payload>({ attempts_max, back_off, name, payload }: Job<Payload>) =>
        factory.make({
          name,
          schema: Schema.Struct({ payload, traceparent: Schema.NullOr(Schema.String) }),
          maxAttempts: attempts_max,
          retrySchedule: back_off
        })

      const offer = Effect.fn("Jobs.offer")(function* <Payload>(
        job: Job<Payload>,
        payload: Payload,
        options: Options = {}
      ) {
        const queue = yield* queueOf(job)
        const { id, organization_id, traceparent: cause = yield* traceparent } = options
        yield* queue.offer({ payload, traceparent: cause }, options).pipe(Effect.catch(databaseFailure))
        if (id !== undefined && organization_id !== undefined) {
          yield* turns.assign({ queue: job.name, id, organization_id })
        }
      })

      const take = Effect.fnUntraced(function* <Payload, E, R>(job: Job<Payload>, handler: Handler<Payload, E, R>) {
        const queue = yield* queueOf(job)
        const loggers = yield* Logger.CurrentLoggers
        const doing = queue.take(({ payload, traceparent }, { attempts, id }) => {
          const last = attempts >= job.attempts_max
          return handler(payload, { attempt: attempts, last }).pipe(
            Effect.timeout(job.time_limit),
            interruptionFails,
            recordJob(job.name, last),
            // Logs within the span and annotations below, so that the line has the ids of trace and job.
            Effect.tapCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logWarning("job failed", cause)
            ),
            Effect.withSpan(`job ${job.name}`, {
              root: true,
              kind: "consumer",
              links: linksTo(traceparent),
              attributes: {
                "messaging.system": "postgresql",
                "messaging.operation.name": "process",
                "messaging.operation.type": "process",
                "messaging.destination.name": job.name,
                "messaging.message.id": id,
                "job.attempt": attempts
              }
            }),
            Effect.withTracerEnabled(tracing),
            Effect.provideService(Logger.CurrentLoggers, loggers),
            Effect.annotateLogs({ job: job.name, job_id: id, attempt: attempts }),
            Effect.mapError((error) => (error instanceof PermanentFailure ? deadLetter(error) : error))
          )
        })
        yield* doing.pipe(
          Effect.withTracerEnabled(false),
          Effect.provideService(Logger.CurrentLoggers, polling),
          Effect.catchTag("PersistedQueueError", (cause) =>
            Effect.andThen(Effect.logWarning("jobs cannot be taken", cause), Effect.sleep(pause_in_outage))
          ),
          // The queue has recorded the failure and the time of the next attempt.
          Effect.catchCause(() => Effect.void)
        )
      })

      return Jobs.of({ offer, take })
    })
  ).pipe(Layer.provide([PersistedQueue.layer, JobTurnsRepo.layer]), Layer.provide(Cleanup), Layer.provide(Store))
}

/** Runs the fibers that handle the jobs of one kind until the process stops. */
export const worker = <Payload, E, R>(job: Job<Payload>, handler: Handler<Payload, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      // Creates the metric series of each queue at the start, before its first measurement.
      yield* recordQueue({ queue: job.name, waiting: 0, dead: 0, oldest_waiting_seconds: 0 })
      for (let fiber = 0; fiber < job.concurrency; fiber++) {
        yield* jobs.take(job, handler).pipe(Effect.forever, Effect.forkScoped)
      }
    })
  )
