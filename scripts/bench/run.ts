/** `npm run bench`: the service beside a bare server, on one database, in interleaved rounds. */
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { freePort } from "../../test/support/FreePort.ts"
import { cpuOf, cpuOfTree } from "./Cpu.ts"
import { load, type NextRequest, requestText } from "./Load.ts"

const organizations = Number(process.env.BENCH_ORGANIZATIONS ?? 100)
const invoices = Number(process.env.BENCH_INVOICES ?? 1000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
/** Part of an operation's name: only those are measured. */
const only = process.env.BENCH_ONLY ?? ""
/** A directory for a CPU profile of the service. */
const profile = process.env.BENCH_PROFILE
const connections = 16
const ready_attempts_max = 300

interface Subject {
  readonly name: string
  readonly port: number
  readonly process: ChildProcess
}

const start = async (name: string, script: string, url: string): Promise<Subject> => {
  const port = await freePort()
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
  const child = spawn(process.execPath, [...flags, script], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(connections),
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: "1000000000",
      // A production start asks for one; of this run alone.
      SECRET_KEY: randomBytes(32).toString("base64"),
      NODE_ENV: "production"
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  for (let attempt = 0; attempt < ready_attempts_max; attempt++) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
    if (answered !== undefined) return { name, port, process: child }
    await sleep(100)
  }
  throw new Error(`${name} did not start`)
}

const random = (max: number) => 1 + Math.floor(Math.random() * max)

const headersOf = (organization: number) => ({
  Authorization: `Bearer pat_bench${organization}`,
  "X-Organization-Id": String(organization)
})

const operations: Readonly<Record<string, NextRequest>> = {
  "get invoice": () => {
    const organization = random(organizations)
    const id = (organization - 1) * invoices + random(invoices)
    return requestText("GET", `/api/v1/invoices/${id}`, headersOf(organization))
  },
  "list 25": () => requestText("GET", "/api/v1/invoices", headersOf(random(organizations))),
  "create, 3 items": () => {
    const organization = random(organizations)
    return requestText("POST", "/api/v1/invoices", headersOf(organization), {
      customer_id: (organization - 1) * 20 + random(20),
      issue_date: "2026-07-01",
      due_date: "2026-07-31",
      currency: "EUR",
      items: [
        { description: "Consulting", quantity: 3, unit_price: 100 },
        { description: "Travel", quantity: 1, unit_price: 50 },
        { description: "Books", quantity: 2, unit_price: 20 }
      ]
    })
  },
  "record a payment": () => {
    const organization = random(organizations)
    const invoice_id = (organization - 1) * invoices + random(invoices)
    const body = { invoice_id, amount: 0.01, payment_date: "2026-07-01", payment_method: "bank_transfer" }
    return requestText("POST", "/api/v1/payments", headersOf(organization), body)
  }
}

const measure = async (subject: Subject, next: NextRequest, postgres: number) => {
  const pid = subject.process.pid ?? 0
  const before = [cpuOf(pid), cpuOfTree(postgres)] as const
  const figures = await load(subject.port, next, connections, seconds)
  const per = (cpu: number, start: number) => (cpu - start) / figures.requests
  return {
    per_second: figures.requests / figures.seconds,
    failures: figures.failures,
    p99_ms: figures.p99_ms,
    server_ms: per(cpuOf(pid), before[0]),
    database_ms: per(cpuOfTree(postgres), before[1])
  }
}
type Measured = Awaited<ReturnType<typeof measure>>

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const typical = (all: ReadonlyArray<Measured>) => ({
  per_second: median(all.map((one) => one.per_second)),
  p99_ms: median(all.map((one) => one.p99_ms)),
  server_ms: median(all.map((one) => one.server_ms)),
  database_ms: median(all.map((one) => one.database_ms)),
  failures: all.reduce((sum, one) => sum + one.failures, 0)
})

const print = (operation: string, name: string, figures: ReturnType<typeof typical>, ratio: string) => {
  const { database_ms, failures, p99_ms, per_second, server_ms } = figures
  console.log(
    [
      operation.padEnd(18),
      name.padEnd(8),
      per_second.toFixed(0).padStart(7),
      server_ms.toFixed(3).padStart(10),
      database_ms.toFixed(3).padStart(12),
      p99_ms.toFixed(1).padStart(8),
      String(failures).padStart(9),
      ratio.padStart(22)
    ].join(" ")
  )
}

const seed = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const text = readFileSync(new URL("./seed.sql", import.meta.url), "utf8")
  const counted = text.replaceAll(":organizations", String(organizations)).replaceAll(":invoices", String(invoices))
  try {
    await client.query(counted)
  } finally {
    await client.end()
  }
}

const bench = async (url: string, postgres: number) => {
  const subjects: Array<Subject> = []
  try {
    // The service brings the schema.
    const service = await start("service", "src/main.ts", url)
    subjects.push(service)
    await seed(url)
    const bare = await start("bare", "scripts/bench/bare.ts", url)
    subjects.push(bare)
    console.log(
      `${organizations} organizations x ${invoices} invoices, ${connections} connections, ${rounds} rounds of`
    )
    console.log(`${seconds} s each, interleaved; medians. CPU in milliseconds per request.`)
    console.log("operation          server     req/s  server CPU  database CPU  p99 ms  failures   ratio req/s (CPU)")
    for (const [operation, next] of Object.entries(operations)) {
      if (!operation.includes(only)) continue
      const results: Record<string, Array<Measured>> = { service: [], bare: [] }
      for (const subject of [service, bare]) await load(subject.port, next, connections, 1)
      for (let round = 0; round < rounds; round++) {
        for (const subject of [service, bare]) results[subject.name]?.push(await measure(subject, next, postgres))
      }
      const [ours, yardstick] = [typical(results.service ?? []), typical(results.bare ?? [])]
      const cost = (figures: typeof ours) => figures.server_ms + figures.database_ms
      print(operation, "bare", yardstick, "")
      const speed = (ours.per_second / yardstick.per_second).toFixed(2)
      print(operation, "service", ours, `${speed} (${(cost(yardstick) / cost(ours)).toFixed(2)})`)
    }
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))?.[1]
    console.log(`memory of the service after the load: ${Math.round(Number(memory) / 1024)} MB`)
  } finally {
    for (const subject of subjects) subject.process.kill("SIGTERM")
    await Promise.all(subjects.map((subject) => once(subject.process, "exit")))
  }
}

const dataDir = mkdtempSync(join(tmpdir(), "invoicing-bench-"))
chmodSync(dataDir, 0o711)
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { database, host, password, port, username } = yield* embeddedPostgres({ dataDir })
      const url = `postgres://${username}:${Redacted.value(password)}@${host}:${port}/${database}`
      const directory = join(dataDir, "postgres", "data", "postmaster.pid")
      const postgres = Number(readFileSync(directory, "utf8").split("\n", 1)[0])
      yield* Effect.promise(() => bench(url, postgres))
    })
  )
)
rmSync(dataDir, { recursive: true, force: true })
