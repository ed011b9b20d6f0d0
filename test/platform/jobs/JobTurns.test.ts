import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Jobs, worker } from "../../../src/platform/jobs/Jobs.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import { JobTurns } from "../../../src/platform/jobs/JobTurns.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { Busy, greeting, settled } from "./Greetings.ts"

/** Backdates the jobs of the queue by this many seconds, as if they had been enqueued earlier. */
const enqueuedAgo = Effect.fnUntraced(function* (queue: string, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  const ago = sql`make_interval(secs => ${seconds})`
  yield* sql`
    update jobs set created_at = created_at - ${ago}, updated_at = updated_at - ${ago}, visible_at = visible_at - ${ago}
    where queue_name = ${queue}`
})

const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

describe("jobs", () => {
  layer(Layer.merge(Jobs.layer, JobStore.layer).pipe(Layer.provideMerge(testDatabase)), {
    excludeTestServices: true
  })((it) => {
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
        assert.deepStrictEqual(greeted.slice(0, 7), ["many 1", "few 1", "many 2", "few 2", "many 3", "few 3", "many 4"])
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
  })
})
