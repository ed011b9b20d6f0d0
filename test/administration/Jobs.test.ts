import { Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { job, Jobs, worker } from "../../src/platform/jobs/Jobs.ts"
import { useAdministration } from "./Administration.ts"

const { app, ask } = useAdministration()

let broken = true
const letters = job({
  name: "letters",
  payload: Schema.Struct({ to: Schema.String }),
  attempts_max: 1,
  back_off: Schedule.spaced("1 second"),
  concurrency: 1,
  time_limit: "1 second"
})

const offer = (to: string) => app.run(Effect.flatMap(Jobs, (jobs) => jobs.offer(letters, { to }, { id: to })))

const deliver = ({ to }: { readonly to: string }) => (broken ? Effect.die(new Error(`no way to ${to}`)) : Effect.void)

const work = () =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Layer.build(worker(letters, deliver))
      const rows = sql`select id from jobs where queue_name = 'letters' and state = 'pending'`
      yield* rows.pipe(Effect.repeat({ until: ({ length }) => length === 0, schedule: Schedule.spaced("20 millis") }))
    }).pipe(Effect.scoped)
  )

const overview = async () =>
  (await ask((client) => client.JobsOverview())).filter(({ queue }) => queue === letters.name)
const dead = () => ask((client) => client.ListDeadJobs({ queue: letters.name }))

describe("jobs in the administration", () => {
  it("are counted per queue, with the delay of the oldest one", async () => {
    await offer("Ana")
    await offer("Ben")
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          update jobs set visible_at = visible_at - interval '90 seconds',
            updated_at = updated_at - interval '90 seconds', attempts = 0
          where id = 'Ana'`
      )
    )
    const [figures] = await overview()
    expect(figures).toMatchObject({ waiting: 2, planned: 0, running: 0, dead: 0, attempts: 0 })
    expect(figures?.oldest_waiting_seconds).toBeGreaterThanOrEqual(90)
    expect(figures?.oldest_waiting_seconds).toBeLessThan(150)
  })

  it("are listed after their last failure, with the reason", async () => {
    await work()
    expect(await overview()).toEqual([
      { queue: "letters", waiting: 0, planned: 0, running: 0, dead: 2, oldest_waiting_seconds: 0, attempts: 0 }
    ])
    const { jobs, total } = await dead()
    expect(total).toBe(2)
    expect(jobs.map(({ attempts, job }) => [job, attempts])).toEqual([
      ["Ben", 1],
      ["Ana", 1]
    ])
    expect(jobs[0]?.failure).toContain("no way to Ben")
    expect(Date.now() - Date.parse(jobs[0]?.failed_at ?? "")).toBeLessThan(60_000)
    expect((await ask((client) => client.ListDeadJobs({ queue: "nothing" }))).total).toBe(0)
    expect((await ask((client) => client.ListDeadJobs({ page: 2, per_page: 1 }))).jobs.map(({ job }) => job)).toEqual([
      "Ana"
    ])
  })

  it("are done when they are retried and deleted when they are discarded, each only once", async () => {
    const [ben, ana] = (await dead()).jobs
    const retry = (id = 0) => ask((client) => client.RetryJob({ job_id: id }))
    const discard = (id = 0) => ask((client) => Effect.flip(client.DiscardJob({ job_id: id })))
    expect(await retry(ben?.id)).toEqual({ queue: "letters" })
    expect((await overview())[0]).toMatchObject({ waiting: 1, dead: 1, attempts: 0 })
    const again = await ask((client) => Effect.flip(client.RetryJob({ job_id: ben?.id ?? 0 })))
    expect(again._tag).toBe("NotFound")
    expect((await discard(ben?.id))._tag).toBe("NotFound")
    broken = false
    await work()
    expect(await ask((client) => client.DiscardJob({ job_id: ana?.id ?? 0 }))).toEqual({ queue: "letters" })
    expect((await discard(ana?.id))._tag).toBe("NotFound")
    expect(await overview()).toEqual([])
    const rows = await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select id, state from jobs where queue_name = 'letters'`)
    )
    expect(rows).toEqual([{ id: "Ben", state: "completed" }])
  })
})
