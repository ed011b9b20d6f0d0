import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect, it } from "vitest"
import { requests_max } from "../../src/webhooks/deliveries/Lanes.ts"
import { useBilling } from "../support/Billing.ts"
import { customer } from "../support/counterparts/Hooks.ts"
import { receiver, until } from "../support/counterparts/Receiver.ts"
import { probe } from "../support/service/Process.ts"
import { here, type Service, startService } from "../support/service/Service.ts"
import { runs } from "../support/service/Runs.ts"

const rounds = runs(3)
/** Each event goes to two webhooks, so a round has 500 deliveries. */
const events = 250
/** Number of arrived deliveries after which one worker is killed. */
const arrived_at_kill = 100
/** Maximum time until another process takes over the work of a killed one. */
const takeover_ms_max = 60_000

const receiving = await receiver()
const { app, open } = useBilling(receiving.settings())

const workers = new Set<Service>()
afterAll(async () => {
  for (const worker of workers) await kill(worker)
})

const rows = <A extends object>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.orDie))

/** A real process that runs background work and answers no client requests. */
const startWorker = async () => {
  const worker = await startService(await app.run(here), {
    ROLE: "worker",
    NODE_ENV: "test",
    WEBHOOKS_ALLOW_HTTP: "true",
    WEBHOOKS_ALLOWED_TARGETS: new URL(receiving.url("/")).host
  })
  workers.add(worker)
  await worker.listening
  return worker
}

const kill = async (worker: Service) => {
  if (worker.running()) worker.kill("SIGKILL")
  await worker.ended
}

const delivered = async ({ url }: Service) => {
  const metrics = (await probe(`${url}/metrics`))?.text ?? ""
  return Number(/^webhook_deliveries_total\{[^}]*outcome="delivered"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

it("delivers every event at least once while workers are killed, hardly any twice, and leaves none behind", async () => {
  const books = await open()
  let running: ReadonlyArray<Service> = await Promise.all([startWorker(), startWorker()])
  const paths: Array<string> = []
  const waits: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const own = [`/ok/one-${round}`, `/ok/two-${round}`]
    paths.push(...own)
    const hooks: Array<{ id: number }> = []
    for (const path of own) {
      hooks.push(await books.made("POST", "/webhooks", { url: receiving.url(path), events: ["customer.created"] }))
    }
    const arrived = () => own.reduce((sum, path) => sum + receiving.at(path).length, 0)
    const before = await Promise.all(running.map(delivered))
    let killed_at = 0
    const killBusier = async () => {
      await until("the first deliveries", () => (arrived() >= arrived_at_kill ? true : undefined))
      const made = (await Promise.all(running.map(delivered))).map((count, index) => count - (before[index] ?? 0))
      const busier = made.indexOf(Math.max(...made))
      for (const [index, worker] of running.entries()) if (index === busier) await kill(worker)
      running = running.filter((_, index) => index !== busier)
      killed_at = Date.now()
    }
    const killing = killBusier()
    for (let count = 0; count < events; count++) await customer(books)
    await killing
    if (round < rounds - 1) running = [...running, await startWorker()]
    // Waits, so that the next kill does not affect this round.
    await until("the deliveries of all events of the round", async () => {
      const ids = hooks.map(({ id }) => id)
      const [made] = await rows<{ count: number }>(
        (sql) => sql`
          select count(*) from webhook_deliveries where ${sql.in("webhook_id", ids)} and status = 'delivered'`
      )
      return made?.count === events * 2 ? true : undefined
    })
    waits.push(Date.now() - killed_at)
    for (const { id } of hooks) await books.made("PUT", `/webhooks/${id}`, { events: ["einvoice.failed"] })
  }

  expect(Math.max(...waits)).toBeLessThanOrEqual(takeover_ms_max)
  const deliveries = await rows<{ status: string; count: number }>(
    (sql) => sql`select status, count(*) from webhook_deliveries group by status`
  )
  expect(deliveries).toEqual([{ status: "delivered", count: rounds * events * 2 }])
  let repeats = 0
  for (const path of paths) {
    const ids = receiving.at(path).map(({ event }) => event.id)
    expect([path, new Set(ids).size]).toEqual([path, events])
    // Each webhook was affected by one kill; only deliveries in progress at that moment arrive twice.
    const again = ids.filter((id, index) => ids.indexOf(id) !== index)
    expect([path, again.length - new Set(again).size]).toEqual([path, 0])
    expect(again.length, path).toBeLessThanOrEqual(requests_max)
    repeats += again.length
  }
  console.log(
    `${repeats} of ${rounds * events * 2} deliveries came twice; the last of a round ${waits.join(", ")} ms after its kill`
  )
}, 600_000)
