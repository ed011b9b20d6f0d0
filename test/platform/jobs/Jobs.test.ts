import { assert, describe, layer } from "@effect/vitest"
import { Data, Deferred, type Duration, Effect, Layer, Queue, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { PermanentFailure } from "../../../src/platform/jobs/PermanentFailure.ts"
import { job, Jobs, worker } from "../../../src/platform/jobs/Jobs.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import { JobTurns } from "../../../src/platform/jobs/JobTurns.ts"
import { Database } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

interface Changes {
  readonly attempts_max?: number
  readonly concurrency?: number
  readonly time_limit?: Duration.Input
}

const greeting = (name: string, changes: Changes = {}) =>
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

const settled = Effect.fnUntraced(
  function* (queue: string) {
    const rows = yield* stateOf(queue)
    if (rows.length === 0 || rows.some(({ state }) => state === "pending")) return yield* Effect.fail("pending")
    return rows
  },
  Effect.retry(Schedule.spaced("50 millis")),
  Effect.timeout("100 seconds")
)

/** Backdates the lock of the queue's job by this many seconds. */
const age = Effect.fnUntraced(function* (queue: string, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update jobs set acquired_at = localtimestamp - make_interval(secs => ${seconds})
    where queue_name = ${queue} and acquired_by is not null`
})

/** Backdates the jobs of the queue by this many seconds, as if they had been enqueued earlier. */
const enqueuedAgo = Effect.fnUntraced(function* (queue: string, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  const ago = sql`make_interval(secs => ${seconds})`
  yield* sql`
    update jobs set created_at = created_at - ${ago}, updated_at = updated_at - ${ago}, visible_at = visible_at - ${ago}
    where queue_name = ${queue}`
})

const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

class Busy extends Data.TaggedError("Busy") {}

describe("jobs", () => {
  layer(Layer.merge(Jobs.layer, JobStore.layer).pipe(Layer.provideMerge(testDatabase)), { excludeTestServices: true })(
    (it) => {
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

      it.effect("of several organizations take turns, including those that are enqueued meanwhile", () =>
        Effect.gen(function* () {
          const jobs = yield* Jobs
          const kind = greeting("turns", { concurrency: 1 })
          const [many, few, late] = [1, 2, 3].map((id) => OrganizationId.make(id))
          const offer = (organization_id: OrganizationId | undefined, name: string) =>
            jobs.offer(kind, { to: name }, organization_id === undefined ? { id: name } : { id: name, organization_id })
          yield* Effect.forEach(names("many", 40), (name) => offer(many, name))
          yield* Effect.forEach(names("few", 3), (name) => offer(few, name))
          yield* offer(few, "few 1")
          const greeted: Array<string> = []
          yield* Layer.build(
            worker(kind, ({ to }) => {
              greeted.push(to)
              if (to === "many 20") return offer(late, "late 1")
              // The organization `late` enqueues its second job only when its first one is done.
              return to === "late 1" ? offer(late, "late 2") : Effect.void
            })
          )
          yield* settled("turns")
          assert.deepStrictEqual(greeted.slice(0, 7), [
            "many 1",
            "few 1",
            "many 2",
            "few 2",
            "many 3",
            "few 3",
            "many 4"
          ])
          const place = (name: string) => greeted.indexOf(name)
          assert.isAtMost(place("late 1") - place("many 20"), 2)
          assert.isAtMost(place("late 2") - place("late 1"), 2)
          assert.lengthOf(greeted, 45)
          assert.deepStrictEqual(
            greeted.filter((name) => name.startsWith("many")),
            names("many", 40)
          )
        })
      )

      it.effect("are late only by the time since they became due, not since the turn that they got", () =>
        Effect.gen(function* () {
          const jobs = yield* Jobs
          const sql = yield* SqlClient.SqlClient
          const kind = greeting("busy")
          const oldest = Effect.map(
            (yield* JobStore).overview,
            (queues) => queues.find(({ queue }) => queue === "busy")?.oldest_waiting_seconds ?? 0
          )
          yield* jobs.offer(kind, { to: "Ana" }, { id: "Ana", organization_id: OrganizationId.make(1) })
          yield* enqueuedAgo("busy", 400)
          assert.isAtLeast(yield* oldest, 400)
          yield* jobs.offer(kind, { to: "Ben" }, { id: "Ben", organization_id: OrganizationId.make(2) })
          yield* sql`delete from jobs where queue_name = 'busy' and id = 'Ana'`
          assert.isBelow(yield* oldest, 100)
        })
      )

      it.effect("take turns also when they are due again or later, in a queue that is never empty", () =>
        Effect.gen(function* () {
          const jobs = yield* Jobs
          const kind = greeting("patience", { concurrency: 1 })
          const [many, few] = [OrganizationId.make(1), OrganizationId.make(2)]
          const offer = (name: string) => jobs.offer(kind, { to: name }, { id: name, organization_id: many })
          yield* Effect.forEach(names("many", 100), offer)
          yield* enqueuedAgo("patience", 400)
          yield* jobs.offer(kind, { to: "again" }, { id: "again", organization_id: few })
          yield* jobs.offer(kind, { to: "later" }, { id: "later", organization_id: few, delay: "1 second" })
          const greeted: Array<string> = []
          yield* Layer.build(JobTurns)
          yield* Layer.build(
            worker(kind, ({ to }, { attempt }) => {
              greeted.push(to)
              return to === "again" && attempt === 1 ? new Busy() : Effect.sleep("100 millis")
            })
          )
          yield* settled("patience")
          assert.isAtMost(greeted.indexOf("again"), 2)
          assert.isAtLeast(greeted.indexOf("later"), 5)
          assert.isBelow(greeted.indexOf("later"), 90)
          assert.isBelow(greeted.lastIndexOf("again"), 90)
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
    }
  )
})
