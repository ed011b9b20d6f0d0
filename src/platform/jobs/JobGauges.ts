import { Effect, Layer } from "effect"
import { measureEvery } from "../observability/Measuring.ts"
import { recordQueue } from "./JobMetrics.ts"
import { JobStore } from "./JobStore.ts"

/** Every worker process reports the same figures. */
export const JobGauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* JobStore
    let shown: ReadonlyArray<string> = []
    const refresh = Effect.gen(function* () {
      const queues = yield* store.overview
      yield* Effect.forEach(queues, recordQueue)
      // Without a reset, an empty queue would show its last figures forever.
      const present = new Set(queues.map(({ queue }) => queue))
      yield* Effect.forEach(
        shown.filter((queue) => !present.has(queue)),
        (queue) => recordQueue({ queue, waiting: 0, dead: 0, oldest_waiting_seconds: 0 })
      )
      shown = [...present]
    })
    yield* measureEvery("15 seconds", "the queues")(refresh)
  })
).pipe(Layer.provide(JobStore.layer))
