import { Cause, Context, Data, Effect, Exit, Layer, Result } from "effect"
import { Database } from "../platform/sql/Database.ts"
import { type Channel, type ItemResult, items_max, type Outcome, outcome } from "./Batch.ts"
import { BatchFailed, BatchTooLarge } from "./BatchErrors.ts"
import { type ItemRefusal, type Refused, refusedWith, rolledBack, serverError } from "./BatchItems.ts"

/** One element of the request, and what is to be done with it. */
export interface Item<A, R> {
  /** The record it is about, of which a second item is a duplicate; null for one that creates or names none. */
  readonly id: number | null
  readonly external_id: string | null
  readonly run: Effect.Effect<Done<A>, ItemRefusal, R>
}

export interface Done<A> {
  readonly data: A | null
  /** The ways it went, where there are several; none is refused when the item is done in full. */
  readonly channels?: ReadonlyArray<{ readonly channel: Channel["channel"]; readonly refused: Refused | null }>
}

interface Manner<R> {
  /** Status of an item that succeeds. */
  readonly http_status: 200 | 201
  /** Each item in a transaction of its own, all items in one, or, where other machines are waited for, none. */
  readonly transaction: "each" | "all" | "none"
  /**
   * Locks the records of the items. Where the whole batch is one transaction (an atomic one, or one with an
   * `Idempotency-Key`), the first item's write locks the journal, after which no record may be waited for.
   */
  readonly hold: Effect.Effect<void, never, R>
}

interface Identified {
  readonly id: number
}

/** Carries the results out of a transaction that is to be rolled back. */
class RolledBack extends Data.TaggedError("RolledBack")<{ readonly ran: Ran<unknown> }> {}

interface Ran<A> {
  readonly results: ReadonlyArray<ItemResult<A>>
  /** What items died of; their results say 500. */
  readonly defects: ReadonlyArray<Cause.Cause<never>>
}

/** Does the items of a batch one after the other, each as its own endpoint would; contract section 14. */
export class BatchRunner extends Context.Service<
  BatchRunner,
  {
    readonly run: <A extends Identified, R>(
      items: ReadonlyArray<Item<A, R>>,
      manner: Manner<R>
    ) => Effect.Effect<Outcome<A>, BatchTooLarge | BatchFailed, R>
  }
>()("invoicing/batch/BatchRunner") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { transaction } = yield* Database

      const runAll = Effect.fnUntraced(function* <A extends Identified, R>(
        items: ReadonlyArray<Item<A, R>>,
        { http_status, hold, ...manner }: Manner<R>
      ) {
        const results: Array<ItemResult<A>> = []
        const defects: Array<Cause.Cause<never>> = []
        const seen = new Set<number>()
        yield* hold
        for (const [index, { external_id, id, run }] of items.entries()) {
          const item = { index, id, external_id }
          if (id !== null && seen.has(id)) {
            results.push({ ...item, status: "duplicate", http_status: 208, data: null, error: null })
            continue
          }
          if (id !== null) seen.add(id)
          // Inside a transaction this one is a savepoint, so that a failed item leaves nothing of itself.
          const exit = yield* Effect.exit(manner.transaction === "none" ? run : transaction(run))
          if (Exit.isSuccess(exit)) {
            results.push(succeeded(item, exit.value, http_status))
            continue
          }
          const refusal = Cause.findError(exit.cause)
          if (Result.isSuccess(refusal)) {
            results.push({ ...item, status: "failed", data: null, ...(yield* refusedWith(refusal.success)) })
            continue
          }
          if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(refusal.failure)
          yield* Effect.logError("An item of a batch died", exit.cause)
          defects.push(refusal.failure)
          results.push({ ...item, status: "failed", data: null, ...serverError })
        }
        return { results, defects } satisfies Ran<A>
      })

      const allOrNothing = <A extends Identified, R>(items: ReadonlyArray<Item<A, R>>, manner: Manner<R>) =>
        runAll(items, manner).pipe(
          Effect.tap((ran) => (ran.results.some(isFailed) ? new RolledBack({ ran }) : Effect.void)),
          transaction,
          Effect.catchTag("RolledBack", ({ ran }) =>
            Effect.succeed({
              defects: ran.defects,
              results: ran.results.map((result, index) => undone(result, items[index]?.id ?? null))
            })
          )
        )

      const run = Effect.fn("BatchRunner.run")(function* <A extends Identified, R>(
        items: ReadonlyArray<Item<A, R>>,
        manner: Manner<R>
      ) {
        yield* Effect.annotateCurrentSpan({ "batch.items": items.length })
        if (items.length > items_max) return yield* BatchTooLarge.of(items.length)
        const { defects, results } = yield* manner.transaction === "all"
          ? allOrNothing(items, manner)
          : runAll(items, manner)
        const done = outcome(results)
        if (done.summary.succeeded > 0) return done
        // Nothing was done, and not for what the request says: that is an outage.
        const [defect] = defects
        if (defect !== undefined) return yield* Effect.failCause(defect)
        return yield* BatchFailed.of(done)
      })

      return BatchRunner.of({ run })
    })
  )
}

const isFailed = ({ status }: ItemResult<unknown>) => status === "failed"

/** What an item is whose channels were all refused, some of them, or none. */
const succeeded = <A extends Identified>(
  item: Pick<ItemResult<A>, "index" | "id" | "external_id">,
  { channels, data }: Done<A>,
  http_status: number
): ItemResult<A> => {
  const ways = channels ?? []
  const [refused] = ways.flatMap((way) => (way.refused === null ? [] : [way.refused]))
  const isRefused = refused !== undefined && ways.every((way) => way.refused !== null)
  return {
    ...item,
    status: isRefused ? "failed" : refused === undefined ? "succeeded" : "partial",
    http_status: isRefused ? refused.http_status : refused === undefined ? http_status : 207,
    id: data?.id ?? item.id,
    data,
    error: refused?.error ?? null,
    ...(channels === undefined ? {} : { channels: ways.map(shown) })
  }
}

const shown = ({ channel, refused }: NonNullable<Done<unknown>["channels"]>[number]): Channel =>
  refused === null ? { channel, status: "sent" } : { channel, status: "failed", error: refused.error }

const undone = (result: ItemResult<unknown>, id: number | null): ItemResult<never> => ({
  ...result,
  id,
  data: null,
  ...(result.status === "succeeded" ? { status: "failed" as const, ...rolledBack } : {})
})
