import { assert, describe, layer } from "@effect/vitest"
import { Data, Deferred, Effect, Layer, Queue, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { job, Jobs, worker } from "../../../src/platform/jobs/Jobs.ts"
import { timed } from "../../../src/platform/jobs/Timed.ts"
import { Database } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/Postgres.ts"

const greeting = (name: string, changes: { readonly attempts_max?: number; readonly concurrency?: number } = {}) =>
  job({
    name,
    payload: Schema.Struct({ to: Schema.String }),
    attempts_max: 3,
    back_off: Schedule.spaced("1 second"),
    concurrency: 2,
    time_limit: "500 millis",
    ...changes
  })

const stateOf = Effect.fnUntraced(function* (queue: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly id: string; readonly state: string; readonly attempts: number }>`
    select id, state, attempts from jobs where queue_name = ${queue} order by sequence`
})

/** Waits until the queue holds nothing that is still to be done. */
const settled = Effect.fnUntraced(
  function* (queue: string) {
    const rows = yield* stateOf(queue)
    if (rows.length === 0 || rows.some(({ state }) => state === "pending")) return yield* Effect.fail("pending")
    return rows
  },
  Effect.retry(Schedule.spaced("50 millis")),
  Effect.timeout("100 seconds")
)

class Busy extends Data.TaggedError("Busy") {}

describe("jobs", () => {
  layer(Jobs.layer.pipe(Layer.provideMerge(testDatabase)), { excludeTestServices: true })((it) => {
    it.effect("are ordered by the transaction that commits, and by no other", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const database = yield* Database
        const kind = greeting("committed")
        yield* database.transaction(jobs.offer(kind, { to: "Ana" }))
        yield* Effect.exit(
          database.transaction(Effect.andThen(jobs.offer(kind, { to: "Ben" }), Effect.fail("refused")))
        )
        const greeted = yield* Queue.unbounded<string>()
        yield* Layer.build(worker(kind, ({ to }) => Queue.offer(greeted, to)))
        assert.lengthOf(yield* settled("committed"), 1)
        assert.deepStrictEqual(yield* Queue.takeAll(greeted), ["Ana"])
      })
    )

    it.effect("are ordered once per id", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("once")
        yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => jobs.offer(kind, { to: "Ana" }, { id: "a" }), {
          concurrency: "unbounded"
        })
        assert.lengthOf(yield* stateOf("once"), 1)
      })
    )

    it.effect("are tried again after a failure, and after the last one are dead letters", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("failing")
        const attempts = yield* Queue.unbounded<readonly [string, number, boolean]>()
        yield* jobs.offer(kind, { to: "second" })
        yield* jobs.offer(kind, { to: "never" })
        yield* Layer.build(
          worker(kind, ({ to }, { attempt, last }) =>
            Effect.gen(function* () {
              yield* Queue.offer(attempts, [to, attempt, last])
              if (to === "never" || attempt < 2) return yield* new Busy()
            })
          )
        )
        const rows = yield* settled("failing")
        assert.deepStrictEqual(
          rows.map(({ attempts, state }) => ({ attempts, state })),
          [
            { attempts: 2, state: "completed" },
            { attempts: 3, state: "failed" }
          ]
        )
        const seen = yield* Queue.takeAll(attempts)
        assert.deepStrictEqual(
          seen.filter(([to]) => to === "never").map(([, attempt, last]) => [attempt, last]),
          [
            [1, false],
            [2, false],
            [3, true]
          ]
        )
      })
    )

    it.effect("are stopped at their time limit, and a bug in one does not stop the fiber", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("endless", { attempts_max: 1, concurrency: 1 })
        yield* jobs.offer(kind, { to: "endless" })
        yield* jobs.offer(kind, { to: "bug" })
        yield* jobs.offer(kind, { to: "interrupted" })
        yield* jobs.offer(kind, { to: "Ana" })
        yield* Layer.build(
          worker(kind, ({ to }) => {
            if (to === "endless") return Effect.never
            if (to === "interrupted") return Effect.interrupt
            return to === "bug" ? Effect.die("bug") : Effect.void
          })
        )
        const rows = yield* settled("endless")
        assert.deepStrictEqual(
          rows.map(({ state }) => state),
          ["failed", "failed", "failed", "completed"]
        )
      })
    )

    it.effect("are given back at once, without an attempt, when their process stops", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("released", { concurrency: 1 })
        yield* jobs.offer(kind, { to: "Ana" })
        const started = yield* Deferred.make<void>()
        const stopping = Layer.build(
          worker(kind, () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
        )
        yield* Effect.scoped(Effect.andThen(stopping, Deferred.await(started)))
        assert.deepStrictEqual(
          (yield* stateOf("released")).map(({ attempts, state }) => ({ attempts, state })),
          [{ attempts: 0, state: "pending" }]
        )
      })
    )

    it.effect("of the clock run once per slot whatever the number of processes", () =>
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
        assert.isAtLeast(ran, done)
        // One may have begun meanwhile.
        assert.isAtMost(ran, (yield* stateOf("timed.tick")).length)
      })
    )
  })
})
