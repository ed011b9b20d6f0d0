import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { customer } from "../support/Hooks.ts"
import { receiver, until } from "../support/Receiver.ts"
import { here, probe, type Service, startService } from "../support/Service.ts"

const rounds = 3
/** Each goes to two webhooks, so a round has 500 deliveries. */
const events = 250
/** The worker is killed when so many have arrived. */
const arrived_at_kill = 100
/** Spec of operations: jobs of a killed process are taken over within 60 s. */
const takeover_ms_max = 60_000
/** A killed process had so many requests to a webhook under way at most (`Lanes.ts`). */
const repeats_per_kill_max = 4

const receiving = await receiver()
const { app, open } = useBilling(receiving.settings())

const workers = new Set<Service>()
afterAll(async () => {
  for (const worker of workers) await kill(worker)
})

const rows = <A extends object>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.orDie))

/** A real process that does the work of the service and answers no requests of clients. */
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

/** How many deliveries a process says it has made. */
const delivered = async ({ url }: Service) => {
  const metrics = (await probe(`${url}/metrics`))?.text ?? ""
  return Number(/^webhook_deliveries_total\{[^}]*outcome="delivered"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

it("delivers every event at least once while workers are killed, hardly any twice, and nothing stays behind", async () => {
  const books = await open()
  let running: ReadonlyArray<Service> = await Promise.all([startWorker(), startWorker()])
  const paths: Array<string> = []
  let killed_at = 0
  for (let round = 0; round < rounds; round++) {
    const own = [`/ok/one-${round}`, `/ok/two-${round}`]
    paths.push(...own)
    const hooks: Array<{ id: number }> = []
    for (const path of own) {
      hooks.push(await books.made("POST", "/webhooks", { url: receiving.url(path), events: ["customer.created"] }))
    }
    const arrived = () => own.reduce((sum, path) => sum + receiving.at(path).length, 0)
    const before = await Promise.all(running.map(delivered))
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
    await until("the deliveries of all events of the round", async () => {
      const ids = hooks.map(({ id }) => id)
      const [made] = await rows<{ count: number }>(
        (sql) => sql`select count(*) from webhook_deliveries where ${sql.in("webhook_id", ids)}`
      )
      return made?.count === events * 2 ? true : undefined
    })
    // Told nothing of the next rounds; what it has been told already still comes.
    for (const { id } of hooks) await books.made("PUT", `/webhooks/${id}`, { events: ["einvoice.failed"] })
  }

  const open_deliveries = () => rows((sql) => sql`select 1 from webhook_deliveries where due_at is not null limit 1`)
  while ((await open_deliveries()).length > 0 && Date.now() - killed_at < takeover_ms_max) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const waited = Date.now() - killed_at
  expect(await open_deliveries()).toEqual([])

  const deliveries = await rows<{ status: string; count: number }>(
    (sql) => sql`select status, count(*) from webhook_deliveries group by status`
  )
  expect(deliveries).toEqual([{ status: "delivered", count: rounds * events * 2 }])
  let repeats = 0
  for (const path of paths) {
    const ids = receiving.at(path).map(({ event }) => event.id)
    expect([path, new Set(ids).size]).toEqual([path, events])
    repeats += ids.length - events
  }
  console.log(`${repeats} of ${rounds * events * 2} deliveries came twice; the last ${waited} ms after the last kill`)
  expect(repeats).toBeLessThanOrEqual(rounds * 2 * repeats_per_kill_max)
}, 600_000)
