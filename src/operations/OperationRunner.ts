import { Cause, Context, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import { as, AsCaller, AsCallerRefused } from "../organizations/access/AsCaller.ts"
import { CurrentOperation } from "../platform/http/CurrentOperation.ts"
import type { Caller } from "../platform/http/Security.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { giveUpAbandoned } from "../platform/jobs/Abandoned.ts"
import { JobStore } from "../platform/jobs/JobStore.ts"
import { Database } from "../platform/sql/Database.ts"
import { endpointOf, OperationError, type OperationKind } from "./Operation.ts"
import { type OperationKey, operationQueues } from "./OperationQueues.ts"
import { OperationsRepo, type Run } from "./OperationsRepo.ts"

export interface RunInput {
  readonly input: Schema.Json
  readonly file: Uint8Array | null
  /** Results that an earlier run recorded, by position of the item. Items with a result are not processed again. */
  readonly recorded: ReadonlyMap<number, Schema.Json>
  /** False if a run that fails is repeated, which then continues after the recorded results. */
  readonly isLast: boolean
  /** Records a result in the transaction of its item, so that an item is done if and only if it has a result. */
  readonly record: (position: number, failed: boolean, result: Schema.Json) => Effect.Effect<void>
}

export interface Work<E> {
  readonly kind: OperationKind
  /** `one` if the operation has one result, `list` if each item has a result. */
  readonly results: "one" | "list"
  readonly refusals: Schema.Codec<E, unknown>
  readonly run: (runInput: RunInput) => Effect.Effect<void, E, Caller>
}

const kept_days = 7
const failure: OperationError = { code: "server_error", message: "Server Error" }

export class OperationRunner extends Context.Service<
  OperationRunner,
  {
    /** Does nothing for an ended operation. A defect ends an operation only in the `last` attempt of its job. */
    readonly run: <E>(work: Work<E>, key: OperationKey, last: boolean) => Effect.Effect<void>
    /** Fails operations whose job is gone, e.g. because the process was killed in the last attempt. */
    readonly endAbandoned: <E>(work: Work<E>) => Effect.Effect<void>
    /** Removes operations that ended a week ago. */
    readonly purge: Effect.Effect<number>
  }
>()("invoicing/operations/OperationRunner") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* OperationsRepo
      const asCaller = yield* AsCaller
      const jobs = yield* Jobs
      const store = yield* JobStore
      const { transaction } = yield* Database

      /**
       * Ends an operation, and enqueues the organization's next one behind all waiting jobs, so that organizations take
       * turns.
       */
      const end = Effect.fn("OperationRunner.end")(function* <E>(
        { results }: Work<E>,
        key: OperationKey | Run,
        error: OperationError | null
      ) {
        const { organization_id } = key
        yield* repo.lock(organization_id)
        if (!(yield* repo.end(key, results, error))) return
        const next = yield* repo.offerNext(organization_id)
        if (Option.isNone(next)) return
        const { id, kind, traceparent } = next.value
        yield* jobs.offer(operationQueues[kind], { organization_id, id }, { id: String(id), traceparent })
      }, transaction)

      const run = Effect.fn("OperationRunner.run")(function* <E>(work: Work<E>, key: OperationKey, last: boolean) {
        yield* Effect.annotateCurrentSpan({ "operation.id": key.id })
        const started = yield* repo.start(key)
        if (Option.isNone(started)) return
        const { caller, file, input, run } = started.value
        const current = { ...key, run }
        const items = yield* repo.recorded(key)
        const runInput: RunInput = {
          input,
          file,
          recorded: new Map(items.map(({ position, result }) => [position, result])),
          isLast: last,
          record: (position, failed, result) => repo.record(current, position, failed, result)
        }
        const exit = yield* asCaller.currentRights(caller, endpointOf(work.kind)).pipe(
          Effect.flatMap((rights) => as(rights)(work.run(runInput))),
          Effect.provideService(CurrentOperation, `operation:${key.id}`),
          Effect.exit
        )
        if (Exit.isSuccess(exit)) return yield* end(work, current, null)
        const refusal = Cause.findError(exit.cause)
        if (Result.isSuccess(refusal)) {
          const body = yield* bodyOf(Schema.Union([work.refusals, AsCallerRefused]), refusal.success)
          return yield* end(work, current, body)
        }
        if (last && !Cause.hasInterrupts(exit.cause)) yield* end(work, current, failure)
        return yield* Effect.failCause(refusal.failure)
      })

      const endAbandoned = Effect.fn("OperationRunner.endAbandoned")(function* <E>(work: Work<E>) {
        yield* giveUpAbandoned(store, {
          queues: [operationQueues[work.kind]],
          jobIdOf: ({ id }) => String(id),
          read: (page) => repo.unended({ kind: work.kind, ...page }),
          giveUp: (key: OperationKey) => end(work, key, failure)
        })
      })

      return OperationRunner.of({ run, endAbandoned, purge: repo.removeEnded(kept_days) })
    })
  ).pipe(Layer.provide([OperationsRepo.layer, AsCaller.layer, JobStore.layer]))
}

const decodeBody = Schema.decodeUnknownEffect(OperationError)

/** Returns a refusal as the endpoint would answer it, without the field `success`. */
const bodyOf = <E>(refusals: Schema.Codec<E, unknown>, refusal: E) =>
  Schema.encodeEffect(Schema.toCodecJson(refusals))(refusal).pipe(Effect.flatMap(decodeBody), Effect.orDie)
