import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { timed } from "../../../src/platform/jobs/Timed.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

const stateOf = Effect.fnUntraced(function* (queue: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly state: string }>`select state from jobs where queue_name = ${queue} order by sequence`
})

describe("periodic work", () => {
  layer(Jobs.layer.pipe(Layer.provideMerge(testDatabase)), { excludeTestServices: true })((it) => {
    it.effect("is not run for slots that passed while an earlier run lasted", () =>
      Effect.gen(function* () {
        const [begun, ended] = [yield* Queue.unbounded<number>(), yield* Deferred.make<void>()]
        const run = Effect.andThen(Queue.offer(begun, 1), Deferred.await(ended))
        yield* Layer.build(Layer.fresh(timed({ name: "slow", every: "1 second", run })))
        const offered = Effect.map(stateOf("timed.slow"), ({ length }) => length)
        const slots = yield* offered.pipe(
          Effect.repeat({ until: (count) => count >= 5, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("100 seconds")
        )
        yield* Deferred.succeed(ended, undefined)
        yield* stateOf("timed.slow").pipe(
          Effect.repeat({
            until: (jobs) => jobs.slice(0, slots).every(({ state }) => state === "completed"),
            schedule: Schedule.spaced("50 millis")
          }),
          Effect.timeout("100 seconds")
        )
        const late = (yield* stateOf("timed.slow")).length - slots
        assert.isAtMost((yield* Queue.takeAll(begun)).length, 1 + late + 1)
      })
    )

    it.effect("is run at most once per slot, whatever the number of processes", () =>
      Effect.gen(function* () {
        const runs = yield* Queue.unbounded<number>()
        const work = () => timed({ name: "tick", every: "2 seconds", run: Queue.offer(runs, 1) })
        yield* Effect.forEach([1, 2, 3], () => Layer.build(Layer.fresh(work())), { concurrency: "unbounded" })
        const completed = Effect.map(
          stateOf("timed.tick"),
          (slots) => slots.filter(({ state }) => state === "completed").length
        )
        const done = yield* completed.pipe(
          Effect.repeat({ until: (count) => count >= 2, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("100 seconds")
        )
        const ran = (yield* Queue.takeAll(runs)).length
        // If a time slot passes before a process takes its job, the job does not run the effect.
        assert.isAtLeast(ran, 1)
        assert.isAtLeast(done, 2)
        // A further run may have begun since the completed ones were counted.
        assert.isAtMost(ran, (yield* stateOf("timed.tick")).length)
      })
    )
  })
})
