import { Cause, Context, Data, Effect, Exit, Layer, Result, Schedule } from "effect"
import { AuditLog } from "../platform/events/AuditLog.ts"
import type { CurrentOrganization } from "../platform/http/Security.ts"
import { isDeadlock, isPassing } from "../platform/http/answers/EdgeAnswers.ts"
import { withoutPrecondition } from "../platform/http/Precondition.ts"
import { Database } from "../platform/sql/Database.ts"
import { type ItemResult, items_max, type Outcome, outcome } from "./Batch.ts"
import { BatchFailed, BatchTextTooLong, BatchTooLarge, text_characters_max } from "./BatchErrors.ts"
import { type ItemRefusal, type Refused, refusedWith, serverError, unavailable } from "./BatchItems.ts"
import {
  charactersOf,
  type Done,
  duplicate,
  firstPlaces,
  type Identified,
  isFailed,
  type Named,
  resultFrom,
  undone
} from "./BatchResults.ts"

export interface Item<A, R> extends Named {
  readonly run: Effect.Effect<Done<A>, ItemRefusal, R>
}

/** Maximum number of items that wait for other machines concurrently: an organization gets 4 mail connections. */
const at_once_max = 4

/** Attempts to record the result of an item that was not undone, so that an outage of a minute loses no result. */
const record_attempts_max = 60
const record_pause = "1 second"

interface BatchMode<R> {
  /** HTTP status in the result of an item that succeeds. */
  readonly http_status: 200 | 201
  /** One transaction for each item, one for all items, or none when the items wait for other machines. */
  readonly transaction: "each" | "all" | "none"
  /**
   * Locks the records of the items, if the items share a transaction. The first item's write locks the audit log, after
   * which no other lock may be awaited in that transaction.
   */
  readonly hold?: Effect.Effect<void, never, R>
  /** Runs before the first item, also if the items share no transaction. */
  readonly begin?: Effect.Effect<void, never, R>
}

/** Carries the results out of a transaction that is rolled back. */
class RolledBack extends Data.TaggedError("RolledBack")<{ readonly ran: Ran<unknown> }> {}

interface Ran<A> {
  readonly results: ReadonlyArray<ItemResult<A>>
  /** The defects that made items fail. The results of these items have the status 500. */
  readonly defects: ReadonlyArray<Cause.Cause<never>>
}

/** The results of an earlier run and a function that records new ones, so that the work can continue after a crash. */
export interface Progress<A> {
  /** Earlier results by the position of their item. These items are not repeated. */
  readonly recorded: ReadonlyMap<number, ItemResult<never>>
  /** Length of all texts in the earlier results. */
  readonly characters: number
  /** False if a run that fails is repeated later, so that an outage of the database delays items and fails none. */
  readonly isLast: boolean
  /** Records the result of an item. If the item succeeds, its own transaction, if any, also stores the result. */
  readonly record: (result: ItemResult<A>) => Effect.Effect<void>
}

/** How to run items: one after the other in transactions, or several at the same time without a transaction. */
interface Manner<A, R> {
  readonly concurrency: number
  /** Records the result of an item that failed or is a duplicate. */
  readonly keep: (result: ItemResult<A>) => Effect.Effect<void>
  /** Runs an item and records its result. */
  readonly attempt: <E>(
    run: Effect.Effect<ItemResult<A>, E, R>
  ) => Effect.Effect<ItemResult<A>, E, R | CurrentOrganization>
  /** Ends an item that an outage made fail, and that a later run repeats. */
  readonly delay: (outage: Cause.Cause<never>, result: ItemResult<A>) => Effect.Effect<ItemResult<A>>
}

interface Running<A, R> extends Manner<A, R>, Pick<BatchMode<R>, "http_status">, Pick<Progress<A>, "isLast"> {
  /** Gets the defects that make items fail. */
  readonly defects: Array<Cause.Cause<never>>
  /** The length of the texts in the results so far. All results are in memory at once, so this length is limited. */
  characters: number
}

/** A batch that runs within its request records no results, so a repeated request starts from the beginning. */
const unrecorded: Progress<unknown> = { recorded: new Map(), characters: 0, isLast: true, record: () => Effect.void }

/** Executes the items of a batch, each as its own endpoint would. */
export class BatchRunner extends Context.Service<
  BatchRunner,
  {
    readonly run: <A extends Identified, R>(
      items: ReadonlyArray<Item<A, R>>,
      manner: BatchMode<R>,
      progress?: Progress<A>
    ) => Effect.Effect<Outcome<A>, BatchTooLarge | BatchFailed, R | CurrentOrganization>
  }
>()("invoicing/batch/BatchRunner") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { inTransaction, transaction } = yield* Database
      const { underLatestLock } = yield* AuditLog

      /** Runs the items one after the other, each in a transaction. The first outage ends the run. */
      const inTransactions = <A, R>(record: Progress<A>["record"]): Manner<A, R> => ({
        concurrency: 1,
        keep: record,
        // Inside another transaction, `transaction` makes a savepoint, so that a failed item leaves no trace.
        attempt: (run) => underLatestLock(transaction(Effect.tap(run, record))),
        delay: Effect.failCause
      })

      const runAll = Effect.fnUntraced(function* <A extends Identified, R>(
        items: ReadonlyArray<Item<A, R>>,
        { begin = Effect.void, hold = Effect.void, http_status, ...mode }: BatchMode<R>,
        { characters, isLast, record, recorded }: Progress<A>
      ) {
        const defects: Array<Cause.Cause<never>> = []
        /** The outages because of which items have no recorded result. They fail the run after all items have ended. */
        const outages: Array<Cause.Cause<never>> = []
        const manner: Manner<A, R> = mode.transaction === "none" ? apart(record, outages) : inTransactions(record)
        // An outage inside the transaction of a request with an `Idempotency-Key` fails the request, which stores nothing:
        // the same key then does all of the work.
        const isKeyed = mode.transaction === "each" && (yield* inTransaction)
        const running = { ...manner, http_status, isLast: isLast && !isKeyed, defects, characters }
        const first = firstPlaces(items)
        yield* begin
        if (yield* inTransaction) yield* hold
        const results = yield* Effect.forEach(
          items,
          (item, index): Effect.Effect<ItemResult<A>, never, R | CurrentOrganization> => {
            const known = recorded.get(index)
            if (known !== undefined) return Effect.succeed(known)
            if (item.id === null || first.get(item.id) === index) return tryItem(running, item, index)
            return Effect.tap(Effect.succeed(duplicate(item, index)), manner.keep)
          },
          { concurrency: manner.concurrency }
        )
        const [outage] = outages
        if (outage !== undefined) return yield* Effect.failCause(outage)
        return { results, defects } satisfies Ran<A>
      })

      /**
       * Runs all items in one transaction. If an item fails, the transaction is rolled back together with the results
       * that it recorded; the final results are recorded afterwards. After a deadlock, the transaction runs once more:
       * another request may have inserted an external id of the batch, and wait for the audit log, which the batch
       * locks with its first item.
       */
      const allOrNothing = <A extends Identified, R>(
        items: ReadonlyArray<Item<A, R>>,
        manner: BatchMode<R>,
        progress: Progress<A>
      ) =>
        runAll(items, manner, progress).pipe(
          Effect.tap((ran) => (ran.results.some(isFailed) ? new RolledBack({ ran }) : Effect.void)),
          transaction,
          Effect.retry({ times: 1, while: ({ ran }) => ran.defects.some((cause) => isDeadlock(Cause.squash(cause))) }),
          Effect.catchTag("RolledBack", ({ ran }) =>
            Effect.map(
              Effect.forEach(ran.results, (result, index) => {
                const rolledBack = undone(result, items[index]?.id ?? null)
                return Effect.as(progress.record(rolledBack), rolledBack)
              }),
              (results) => ({ results, defects: ran.defects })
            )
          )
        )

      const run = Effect.fn("BatchRunner.run")(function* <A extends Identified, R>(
        items: ReadonlyArray<Item<A, R>>,
        manner: BatchMode<R>,
        progress: Progress<A> = unrecorded
      ) {
        yield* Effect.annotateCurrentSpan({ "batch.items": items.length })
        yield* requireSize(items)
        const { defects, results } = yield* manner.transaction === "all"
          ? allOrNothing(items, manner, progress)
          : runAll(items, manner, progress)
        const done = outcome(results)
        const { partial, succeeded, unknown } = done.summary
        if (succeeded > 0 || partial !== undefined || unknown !== undefined) return done
        // Nothing was done, because of a defect of the service, so the batch fails with this defect.
        const [defect] = defects
        if (defect !== undefined) return yield* Effect.failCause(defect)
        return yield* BatchFailed.of(done)
        // One `If-Match` cannot state the versions of several records.
      }, withoutPrecondition)

      return BatchRunner.of({ run })
    })
  )
}

/** Runs several items at the same time, and none of them in a transaction. `outages` gets the outages of the run. */
const apart = <A, R>(record: Progress<A>["record"], outages: Array<Cause.Cause<never>>): Manner<A, R> => {
  const recordApart = (result: ItemResult<A>) =>
    Effect.sandbox(record(result)).pipe(
      Effect.retry({ while: isOutage, times: record_attempts_max - 1, schedule: Schedule.spaced(record_pause) }),
      Effect.catch((cause) => (isOutage(cause) ? Effect.sync(() => void outages.push(cause)) : Effect.failCause(cause)))
    )
  return {
    concurrency: at_once_max,
    keep: recordApart,
    attempt: (run) => Effect.tap(run, recordApart),
    // Failing here would interrupt the other items, which run at the same time.
    delay: (outage, result) => Effect.sync(() => void outages.push(outage)).pipe(Effect.as(result))
  }
}

const tryItem = Effect.fnUntraced(function* <A extends Identified, R>(
  running: Running<A, R>,
  { external_id, id, run }: Item<A, R>,
  index: number
) {
  const { attempt, defects, delay, http_status, isLast, keep } = running
  const item = { index, id, external_id }
  const work: Effect.Effect<Done<A>, ItemRefusal, R> = running.characters > text_characters_max
    ? Effect.fail(BatchTextTooLong.of())
    : run
  const exit = yield* work.pipe(
    Effect.map((done) => resultFrom(item, done, http_status)),
    attempt,
    Effect.exit
  )
  if (Exit.isSuccess(exit)) {
    running.characters += charactersOf(exit.value.data)
    return exit.value
  }
  const failed = (refused: Refused): ItemResult<A> => ({ ...item, status: "failed", data: null, ...refused })
  const refusal = Cause.findError(exit.cause)
  if (Result.isSuccess(refusal)) {
    const result = failed(yield* refusedWith(refusal.success))
    return yield* Effect.as(keep(result), result)
  }
  const { failure: defect } = refusal
  if (isOutage(defect) && !isLast) return yield* delay(defect, failed(unavailable))
  if (Cause.hasInterrupts(defect)) return yield* Effect.failCause(defect)
  yield* Effect.logError("An item of a batch died", defect)
  defects.push(defect)
  const result = failed(isOutage(defect) ? unavailable : serverError)
  return yield* Effect.as(keep(result), result)
})

export const requireSize = ({ length }: ReadonlyArray<unknown>) =>
  length > items_max ? Effect.fail(BatchTooLarge.of(length)) : Effect.void

const isOutage = (cause: Cause.Cause<unknown>) => isPassing(Cause.squash(cause))
