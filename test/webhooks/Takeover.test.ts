import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, inject, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { freePort } from "../support/FreePort.ts"
import { customer } from "../support/Hooks.ts"
import { receiver, until } from "../support/Receiver.ts"

const rounds = 3
/** Each goes to two webhooks, so a round has 500 deliveries. */
const events = 250
/** The worker is killed when so many have arrived. */
const arrived_at_kill = 100
/** Spec of operations: jobs of a killed process are taken over within 60 s. */
const takeover_ms_max = 60_000
const repeats_max = 0.01

const receiving = await receiver()
const { app, open } = useBilling(receiving.settings())

const folder = mkdtempSync(join(tmpdir(), "invoicing-workers-"))
const workers = new Set<ChildProcess>()
afterAll(async () => {
  for (const worker of workers) await kill(worker)
  rmSync(folder, { recursive: true, force: true })
})

const rows = <A extends object>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.orDie))

/** A real process that does the work of the service and answers no requests of clients. */
const startWorker = async () => {
  const { host, password, port, username } = inject("postgres")
  const [row] = await rows<{ name: string }>((sql) => sql`select current_database() as name`)
  const own = await freePort()
  const worker = spawn(process.execPath, ["src/main.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ROLE: "worker",
      PORT: String(own),
      DATA_DIR: folder,
      DATABASE_URL: `postgres://${username}:${encodeURIComponent(password)}@${host}:${port}/${row?.name}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOKS_ALLOW_HTTP: "true",
      WEBHOOKS_ALLOWED_TARGETS: new URL(receiving.url("/")).host
    }
  })
  workers.add(worker)
  await until("the worker", () =>
    fetch(`http://127.0.0.1:${own}/health/live`).then(
      () => true,
      () => undefined
    )
  )
  return worker
}

const kill = async (worker: ChildProcess | undefined) => {
  if (worker === undefined) throw new Error("There is no worker to kill.")
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const exited = once(worker, "exit")
  worker.kill("SIGKILL")
  await exited
}

it("delivers every event at least once while workers are killed, hardly any twice, and nothing stays behind", async () => {
  const books = await open()
  const running = [await startWorker(), await startWorker()]
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
    const killing = until("the first deliveries", () => (arrived() >= arrived_at_kill ? true : undefined)).then(() =>
      kill(running.shift())
    )
    for (let count = 0; count < events; count += 2) await Promise.all([customer(books), customer(books)])
    await killing
    killed_at = Date.now()
    running.push(await startWorker())
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
  expect(repeats / (rounds * events * 2)).toBeLessThan(repeats_max)
}, 180_000)
