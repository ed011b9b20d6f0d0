import { Context, Effect, Layer, Schema } from "effect"
import { type ChildPool, childPool } from "../../platform/children/ChildPool.ts"
import { fairTurns } from "../../platform/children/FairTurns.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Suggestions } from "../matching/Suggestions.ts"
import { InvalidStatement } from "../records/StatementErrors.ts"
import { ruleBudgets, RuleMatcher } from "../rules/RuleMatcher.ts"
import {
  PreparationOrder,
  type PreparationRefused,
  type PreparationSource,
  prepare,
  type Prepared
} from "./Preparation.ts"
import { preparationChild } from "./PreparationChild.ts"
import { decodeAnswer, type PreparationJob } from "./PreparationJob.ts"
import { replyWith } from "./Questions.ts"

const megabyte = 1_000_000

/** Limits of the child process. The largest file takes only some seconds, but the machine may be busy. */
const limits = {
  size: 1,
  start_duration_max: "1 minute",
  job_duration_max: "3 minutes",
  job_cpu_max: "60 seconds",
  heap_megabytes_max: 512,
  young_megabytes_max: 8,
  memory_bytes_max: 1_000 * megabyte,
  memory_bytes_kept_max: 180 * megabyte,
  jobs_per_child_max: 50,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "30 seconds",
  low_priority: true
} as const

/** Large files are prepared one at a time. Organizations with several files take turns with the others. */
const turn_limits = {
  size: limits.size,
  held_per_owner_max: 1,
  waiting_max: 64,
  waiting_per_owner_max: 8,
  waiting_duration_max: "60 seconds"
} as const

export interface PreparedFile extends Prepared {
  /** The rows as compressed JSON texts, each for one SQL statement. */
  readonly chunks: ReadonlyArray<Uint8Array>
}

export type StatementContent = Uint8Array | LocalFile

/** Prepares statement files for import; a child process prepares large ones, so that they delay no other request. */
export class Preparations extends Context.Service<
  Preparations,
  {
    readonly prepare: (
      content: StatementContent,
      order: Omit<PreparationOrder, "has_rules">
    ) => Effect.Effect<PreparedFile, PreparationRefused | StorageUnavailable, CurrentOrganization>
  }
>()("invoicing/banking/preparation/Preparations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const suggestions = yield* Suggestions
      const matching = yield* RuleMatcher
      const pool = yield* childPool({ ...limits, entry: preparationChild })
      const { inTurn } = fairTurns(turn_limits)

      const prepareFile = Effect.fn("Preparations.prepare")(function* (
        content: StatementContent,
        partial: Omit<PreparationOrder, "has_rules">
      ) {
        const { id } = yield* CurrentOrganization
        const { ruled, rules } = yield* matching.start(ruleBudgets.import)
        const chunks: Array<Uint8Array> = []
        const source: PreparationSource = {
          ...(yield* suggestions.source(partial.account.currency)),
          rulesOf: (lines) =>
            Effect.map(ruled(lines), ({ rules, unruled, ...found }) => ({
              ...found,
              unruled: unruled.size,
              rules: rules.map((rule) => (rule === undefined ? null : { id: rule.id, auto_add: rule.auto_add }))
            })),
          keep: (chunk) => Effect.sync(() => void chunks.push(chunk))
        }
        const order = yield* asOrder({ ...partial, has_rules: rules.size > 0 })
        const { auto_threshold } = source
        const prepared =
          content instanceof Uint8Array
            ? yield* prepare([content], order, source)
            : yield* inTurn(id)(apart(pool, { path: content.path, order, auto_threshold }, source)).pipe(
                Effect.catchTag("NoTurn", () => StorageUnavailable.of())
              )
        return { ...prepared, chunks }
      })

      return Preparations.of({ prepare: prepareFile })
    })
  ).pipe(Layer.provide([Suggestions.layer, RuleMatcher.layer]))
}

const asOrder = (order: PreparationOrder) => Effect.orDie(Schema.decodeEffect(Schema.toType(PreparationOrder))(order))

const apart = Effect.fn("Preparations.apart")(function* (
  pool: ChildPool,
  job: PreparationJob,
  source: PreparationSource
) {
  const answer = yield* pool.run(job, replyWith(source)).pipe(
    Effect.catchTags({
      ChildTimedOut: ({ limit }) =>
        limit === "cpu"
          ? InvalidStatement.of("it takes too long")
          : Effect.andThen(
              Effect.logWarning("the machine is too busy to read a bank statement in time"),
              StorageUnavailable.of()
            ),
      ChildFailed: ({ cause, reason }) => {
        if (cause === "thrown") return Effect.die(new Error(`a bank statement cannot be read: ${reason}`))
        return Effect.andThen(
          Effect.logWarning(`a bank statement cannot be read: ${reason}`),
          Effect.fail(cause === "memory" ? InvalidStatement.of("it takes too much memory") : StorageUnavailable.of())
        )
      },
      ChildUnavailable: ({ reason }) =>
        Effect.andThen(Effect.logError(`no process reads bank statements: ${reason}`), StorageUnavailable.of())
    })
  )
  return yield* decodeAnswer(answer)
})
