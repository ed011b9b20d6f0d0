/**
 * `npm run bench:deliveries` compares the rate of webhook deliveries on the loopback interface with that of a plain
 * `fetch` loop.
 */
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Client } from "pg"
import { databaseClient, ownDatabase } from "../support/OwnDatabase.ts"
import { memory_variables, startProcess } from "../support/ServiceProcess.ts"
import { childOfTool, runTool } from "../support/Tool.ts"
import { cpuOf, cpuOfTree } from "./parts/Cpu.ts"

const events = Number(process.env.BENCH_EVENTS ?? 1_000)
const webhooks = Number(process.env.BENCH_WEBHOOKS ?? 16)
/** Number of simultaneous requests to one webhook when its deliveries are late (`Lanes.ts`). */
const requests_per_webhook = 4
const deliveries = events * webhooks
const time_limit_ms = 120_000
const token = "pat_bench1"

/** `sender_ms` and `database_ms` are CPU milliseconds per delivery. */
type Figures = Record<"per_second" | "sender_ms" | "database_ms", number>

/** A receiver of webhook deliveries in this process. It counts the requests and stores the body of the last one. */
const sink = async () => {
  let count = 0
  let body = ""
  let signal: (() => void) | undefined
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      response.writeHead(204).end()
      body = Buffer.concat(chunks).toString("utf8")
      if (++count === deliveries) signal?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The sink has no port.")
  return {
    target: `127.0.0.1:${address.port}`,
    body: () => body,
    close: () => server.close(),
    filled: async () => {
      count = 0
      const started = performance.now()
      const full = new Promise<void>((resolve) => (signal = resolve)).then(() => true)
      const inTime = await Promise.race([full, sleep(time_limit_ms, false, { ref: false })])
      if (!inTime) throw new Error(`${count} of ${deliveries} arrived in ${time_limit_ms} ms.`)
      return performance.now() - started
    }
  }
}

type Sink = Awaited<ReturnType<typeof sink>>

const startService = (url: string, { target }: Sink, dataDir: string) =>
  startProcess({
    variables: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SIGNING_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOKS_ALLOW_HTTP: "true",
      WEBHOOKS_ALLOWED_TARGETS: target,
      ...memory_variables
    }
  })

/** Creates an organization with its webhooks. Their events are written later, during the measurement. */
const seed = async (database: Client, address: string, { target }: Sink) => {
  await database.query(`
    insert into users (name, email) values ('Ana', 'ana@example.com');
    insert into organizations (name, country, currency, timezone, language, search)
      values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', 'acme');
    insert into journals (organization_id) values (1);
    insert into members (organization_id, user_id, role, status) values (1, 1, 'owner', 'active');
    insert into tokens (kind, hash, name, user_id, scopes)
      values ('personal', sha256(convert_to('${token}', 'UTF8')), 'bench', 1, '{*}')`)
  for (let webhook = 0; webhook < webhooks; webhook++) {
    const answer = await fetch(`${address}/api/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "x-organization-id": "1", "content-type": "application/json" },
      body: JSON.stringify({ url: `http://${target}/${webhook}`, events: ["*"] })
    })
    if (answer.status !== 201) throw new Error(`POST /webhooks answered ${answer.status}: ${await answer.text()}`)
  }
}

/** Appends events to the outbox. They are as large as the events of an invoice with three lines. */
const publish = (database: Client) =>
  database.query(
    `with chain as (
       update journals set events = events + $1::integer where organization_id = 1 returning events - $1::integer as latest)
     insert into outbox (organization_id, sequence, event_id, type, occurred_at, data)
     select 1, latest + n, 'evt_' || n, 'invoice.sent', now(), jsonb_build_object('object', 'invoice', 'id', n, 'attributes',
       jsonb_build_object('id', n, 'notes', repeat('x', 2000)))
     from generate_series(1, $1::integer) n, chain`,
    [events]
  )

const measure = async (child: ChildProcess, postgres: number, run: Promise<number>): Promise<Figures> => {
  const pid = child.pid ?? 0
  const [sender, database] = [cpuOf(pid), cpuOfTree(postgres)]
  const milliseconds = await run
  return {
    per_second: (deliveries * 1000) / milliseconds,
    sender_ms: (cpuOf(pid) - sender) / deliveries,
    database_ms: (cpuOfTree(postgres) - database) / deliveries
  }
}

/** Returns a program that sends as many requests as the service, but has no queue, no signatures and no database. */
const bareLoop = (target: string, body: string) => `
  let left = ${deliveries}
  const body = ${JSON.stringify(body)}
  const client = async () => {
    while (left-- > 0) {
      const answer = await fetch("http://${target}/", { method: "POST", body })
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: ${webhooks * requests_per_webhook} }, client))
  process.send("done")
  process.on("message", () => process.exit())`

const runBare = async (sinking: Sink, postgres: number) => {
  const program = bareLoop(sinking.target, sinking.body())
  const child = childOfTool(
    spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "inherit", "inherit", "ipc"]
    })
  )
  const figures = await measure(child, postgres, sinking.filled())
  child.send("exit")
  await once(child, "exit")
  return figures
}

const print = (name: string, { database_ms, per_second, sender_ms }: Figures, ratio: string) =>
  console.log(
    name.padEnd(12),
    per_second.toFixed(0).padStart(13),
    sender_ms.toFixed(3).padStart(11),
    database_ms.toFixed(3).padStart(13),
    ratio.padStart(8)
  )

const bench = async (url: string, postgres: number, dataDir: string) => {
  const sinking = await sink()
  const service = await startService(url, sinking, dataDir)
  const database = await databaseClient(url)
  try {
    await seed(database, `http://127.0.0.1:${service.port}`, sinking)
    console.log(
      `${events} events to ${webhooks} webhooks, ${requests_per_webhook} requests at a time; CPU in ms per delivery.`
    )
    console.log("sender       deliveries/s  sender CPU  database CPU    ratio")
    const arrived = sinking.filled()
    await publish(database)
    const ours = await measure(service.process, postgres, arrived)
    const bare = await runBare(sinking, postgres)
    print("bare fetch", bare, "")
    print("service", ours, (ours.per_second / bare.per_second).toFixed(2))
  } finally {
    await database.end()
    sinking.close()
  }
}

runTool(
  Effect.gen(function* () {
    const { dataDir, pid, url } = yield* ownDatabase()
    yield* Effect.promise(() => bench(url, pid, join(dataDir, "service")))
  })
)
