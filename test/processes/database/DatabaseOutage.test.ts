import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Connection, pgLayer } from "../../../src/platform/sql/Database.ts"
import { embeddedPostgres } from "../../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { seedOrganization } from "../../support/database/Seed.ts"
import { probe } from "../../support/service/Process.ts"
import { service } from "../../support/service/Service.ts"
import { startLoad } from "../Load.ts"

/** The outage is long enough that the service finds all connections broken, and that a job becomes due. */
const outage_ms = 4_000
/**
 * Time limit for becoming ready again. The goal is 2 s, and an idle machine needs a tenth of a second, but a busy
 * machine may need longer.
 */
const ready_ms_max = 60_000
const calm_ms_max = 60_000
const job_ms_max = 60_000
const clients = 8
/** The check of the database gives up after 2 s. If it waited for the end of its query, it would take another 5 s. */
const hanging_ms_max = 5_000
/** Maximum number of log lines: the first, and one for each ten seconds of the longest tolerated outage. */
const polls_told_max = 13
/** A stack would make the line of each refused request several times as long. */
const outage_line_characters_max = 500

const pause = (ms: number) => Effect.promise(() => sleep(ms))

/** A server of this test only, which can be stopped and started again with its data. */
const server = Effect.gen(function* () {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "invoicing-outage-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  // The folder must be open to the account that PostgreSQL gets when the tests run as root.
  chmodSync(dataDir, 0o711)
  let scope = yield* Scope.make()
  const start = Effect.suspend(() => Scope.provide(embeddedPostgres({ dataDir }), scope))
  const stop = Effect.suspend(() => Scope.close(scope, Exit.void))
  yield* Effect.addFinalizer(() => stop)
  const connection: Connection = yield* start
  const again = Effect.gen(function* () {
    scope = yield* Scope.make()
    yield* start
  })
  const signal = (name: NodeJS.Signals) => {
    const [pid = ""] = readFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8").split("\n")
    for (const process_id of processesOf(Number(pid))) process.kill(process_id, name)
  }
  return { connection, stop, again, signal }
})

const until = (check: () => Promise<boolean>, ms_max: number) =>
  Effect.promise(async () => {
    const started = performance.now()
    while (!(await check()) && performance.now() - started < ms_max) {
      await sleep(25)
    }
    return performance.now() - started
  })

/** Waits for about ten further answers to each client, and returns true if none of them is a refusal. */
const isCalm = async (load: ReturnType<typeof startLoad>) => {
  const [answered, refused] = [load.answered(), load.refusals.length]
  for (let look = 0; look < looks_max && load.answered() < answered + 10 * clients; look++) {
    await sleep(100)
  }
  return load.answered() >= answered + 10 * clients && load.refusals.length === refused
}
const looks_max = 300

const processesOf = (postmaster: number): ReadonlyArray<number> => [
  postmaster,
  ...readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").split(" ").filter(Boolean).map(Number)
]

const isReady = (url: string) => async () => (await probe(`${url}/health/ready`))?.status === 200

/** Returns the answer of the token endpoint, in which clients expect `error` in every refusal (RFC 6749, 5.2). */
const tokenAnswer = (url: string) =>
  Effect.promise(async (): Promise<unknown> => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "rt_x", client_id: "x" })
    return (await fetch(`${url}/oauth/token`, { method: "POST", body })).json()
  })

/** Enqueues a job that becomes due while the database is down. */
const orderJob = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    insert into jobs (id, queue_name, element, state, attempts, visible_at, created_at, updated_at)
    values ('of-the-outage', 'timed.edge.purge', '{"payload":{"slot":1},"traceparent":null}', 'pending', 0,
      now() + interval '2 seconds', now(), now())`
)

const afterwards = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const customers = yield* sql<{ name: string }>`select name from customers`
  const [job] = yield* sql<{ state: string }>`select state from jobs where id = 'of-the-outage'`
  return { names: new Set(customers.map(({ name }) => name)), job: job?.state }
})

it.live(
  "a database that is down for some seconds causes 503 and nothing else",
  () =>
    Effect.gen(function* () {
      const { again, connection, stop } = yield* server
      const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        Effect.provide(effect, pgLayer(connection, 2))
      const api = yield* service(connection, { ROLE: "api" })
      const worker = yield* service(connection, { ROLE: "worker" })
      const { id, owner } = yield* inDatabase(seedOrganization({}))
      const load = startLoad([api.url], { token: owner.token, organization: id }, clients)
      yield* pause(500)
      expect(load.refusals).toEqual([])

      yield* inDatabase(orderJob)
      yield* stop
      yield* pause(outage_ms)
      const answered_before = load.answered()
      expect(yield* Effect.promise(() => probe(`${worker.url}/health/ready`))).toMatchObject({ status: 503 })
      expect(yield* tokenAnswer(api.url)).toMatchObject({ code: "unavailable", error: "temporarily_unavailable" })
      yield* again
      const ready_ms = yield* until(isReady(api.url), ready_ms_max)
      const worker_ready_ms = yield* until(isReady(worker.url), ready_ms_max)
      const calm_ms = yield* until(() => isCalm(load), calm_ms_max)
      yield* Effect.promise(load.stop)

      console.log(`outage: ${load.refusals.length} times 503, ready after ${Math.round(ready_ms)} ms`)
      expect(load.failures).toEqual([])
      expect(new Set(load.refusals.map(({ retry_after, status }) => `${status} after ${retry_after}`))).toEqual(
        new Set(["503 after 2"])
      )
      expect(Math.max(ready_ms, worker_ready_ms)).toBeLessThan(ready_ms_max)
      expect(calm_ms).toBeLessThan(calm_ms_max)
      expect(load.answered()).toBeGreaterThan(answered_before)
      expect([api.running(), worker.running()]).toEqual([true, true])
      // Dozens of queues poll twice a second, but one line every ten seconds reports the failure for all of them.
      const polls = worker.output().split("the queues of jobs cannot be polled").length - 1
      expect([polls > 0, polls <= polls_told_max]).toEqual([true, true])
      expect(worker.output()).not.toContain('"message":[]')
      const outages = api
        .output()
        .split("\n")
        .filter((line) => line.includes('"database unavailable"'))
      expect(outages.length).toBeGreaterThan(0)
      expect(Math.max(...outages.map((line) => line.length))).toBeLessThan(outage_line_characters_max)

      const { job, names } = yield* inDatabase(
        afterwards.pipe(
          Effect.repeat({ until: ({ job }) => job === "completed", schedule: Schedule.spaced("100 millis") }),
          Effect.timeout(job_ms_max)
        )
      )
      expect(load.acknowledged.filter((name) => !names.has(name))).toEqual([])
      expect(job).toBe("completed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  400_000
)

it.live.skipIf(!existsSync("/proc/self/task"))(
  "while the database hangs, /health/ready answers 503 in time",
  () =>
    Effect.gen(function* () {
      const { connection, signal } = yield* server
      const api = yield* service(connection, { ROLE: "api" })
      expect(yield* Effect.promise(isReady(api.url))).toBe(true)
      signal("SIGSTOP")
      const started = performance.now()
      const answer = yield* Effect.promise(() => probe(`${api.url}/health/ready`)).pipe(
        Effect.ensuring(Effect.sync(() => signal("SIGCONT")))
      )
      const lasted_ms = performance.now() - started
      expect(answer?.text).toContain('"database":"unreachable"')
      expect(answer?.status).toBe(503)
      expect(lasted_ms).toBeLessThan(hanging_ms_max)
      expect(yield* until(isReady(api.url), ready_ms_max)).toBeLessThan(ready_ms_max)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  200_000
)
