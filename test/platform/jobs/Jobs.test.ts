import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue, Schedule } from "effect"
import { PersistedQueue } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { PermanentFailure } from "../../../src/platform/jobs/PermanentFailure.ts"
import { Jobs, worker } from "../../../src/platform/jobs/Jobs.ts"
import { Database } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { Busy, greeting, settled, stateOf } from "./Greetings.ts"

/** Backdates the lock of the queue's job by this many seconds. */
const age = Effect.fnUntraced(function* (queue: string, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update jobs set acquired_at = localtimestamp - make_interval(secs => ${seconds})
    where queue_name = ${queue} and acquired_by is not null`
})

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

    it.effect("are stored in tables to which the library's own migrations would add nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Layer.build(PersistedQueue.layerStoreSql({ tableName: "jobs" }))
        const applied = yield* sql`select migration_id from jobs_migrations order by migration_id`
        assert.deepStrictEqual(applied, [{ migration_id: 1 }, { migration_id: 2 }])
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

    it.effect("are dead letters immediately when no other attempt can succeed, and the next one is done", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("hopeless", { concurrency: 1 })
        yield* jobs.offer(kind, { to: "nobody" })
        yield* jobs.offer(kind, { to: "Ana" })
        yield* Layer.build(
          worker(kind, ({ to }) => (to === "nobody" ? new PermanentFailure({ cause: new Busy() }) : Effect.void))
        )
        assert.deepStrictEqual(
          (yield* settled("hopeless")).map(({ attempts, state }) => ({ attempts, state })),
          [
            { attempts: 1, state: "failed" },
            { attempts: 1, state: "completed" }
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

    it.effect("are released at once, without an attempt, when their process stops", () =>
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

    it.effect("stay locked while they are done, even if that takes longer than a lock lasts", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const kind = greeting("long", { concurrency: 1, time_limit: "3 minutes" })
        yield* jobs.offer(kind, { to: "Ana" })
        const [started, enough] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        yield* Layer.build(
          worker(kind, () => Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(enough)))
        )
        yield* Deferred.await(started)
        yield* age("long", 30)
        yield* sql`select from jobs where queue_name = 'long' and acquired_at > localtimestamp - interval '25 seconds'`.pipe(
          Effect.repeat({ until: (rows) => rows.length === 1, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("100 seconds")
        )
        yield* Deferred.succeed(enough, undefined)
        assert.containsSubset(yield* settled("long"), [{ attempts: 1, state: "completed" }])
      })
    )

    it.effect("whose lock was lost are done by another process, too, and end once", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const kind = greeting("lost", { concurrency: 1, time_limit: "3 minutes" })
        yield* jobs.offer(kind, { to: "Ana" })
        const ended = yield* Queue.unbounded<string>()
        const [first, second, slow] = [
          yield* Deferred.make<void>(),
          yield* Deferred.make<void>(),
          yield* Deferred.make<void>()
        ]
        const process = (begun: Deferred.Deferred<void>, name: string, until: Effect.Effect<unknown>) => {
          const doing = Effect.all([Deferred.succeed(begun, undefined), until, Queue.offer(ended, name)])
          return Layer.build(Layer.fresh(worker(kind, () => doing).pipe(Layer.provide(Layer.fresh(Jobs.layer)))))
        }
        yield* process(first, "first", Deferred.await(slow))
        yield* Deferred.await(first)
        yield* process(second, "second", Effect.void)
        // The first process may renew its lock at any time, so the test backdates the lock until the second takes over.
        yield* age("lost", 60).pipe(
          Effect.andThen(Deferred.await(second).pipe(Effect.timeout("3 seconds"))),
          Effect.retry({ times: 30 })
        )
        const completed = yield* settled("lost")
        assert.containsSubset(completed, [{ attempts: 2, state: "completed" }])
        yield* Deferred.succeed(slow, undefined)
        assert.deepStrictEqual([yield* Queue.take(ended), yield* Queue.take(ended)], ["second", "first"])
        assert.deepStrictEqual(yield* stateOf("lost"), completed)
      })
    )
  })
})
