/**
 * `npm run fuzz -- --requests 100000 --seed 7`: hostile and plausible requests made from the OpenAPI document, against a
 * service of its own. Reports answers from 500 on, hangs, and statuses and shapes that the document does not declare.
 * `--only 4711` sends one request of the seed again.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { operations } from "../../test/contract/OpenApi.ts"
import { freePort } from "../../test/support/FreePort.ts"
import { requestAt } from "./Requests.ts"
import { type Caller, Harvest, send } from "./Sender.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: "string" }
  }
})
const total = Number(values.requests)
const seed = Number(values.seed)
const parallel = 8
const start_attempts_max = 300
const findings_shown_max = 20

const dataDir = mkdtempSync(join(tmpdir(), "invoicing-fuzz-"))
chmodSync(dataDir, 0o711)
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const log: Array<string> = []
const service = spawn(process.execPath, ["src/main.ts"], {
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "1000000000" },
  stdio: ["ignore", "pipe", "pipe"]
})
for (const output of [service.stdout, service.stderr]) {
  output.setEncoding("utf8").on("data", (text: string) => {
    log.push(text)
    if (log.length > 2_000) log.shift()
  })
}

interface Demo {
  readonly users: ReadonlyArray<{ readonly token: string }>
  readonly organizations: ReadonlyArray<{ readonly id: number; readonly token: string }>
}

const ready = async (): Promise<Demo> => {
  for (let attempt = 0; attempt < start_attempts_max; attempt++) {
    const answered = await fetch(`${base}/health/ready`).catch(() => undefined)
    if (answered?.ok === true) return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"))
    await sleep(100)
  }
  throw new Error(`The service did not start: ${log.join("")}`)
}

/** The lists show what there is before the first request guesses. */
const seedHarvest = async (harvest: Harvest, { organization, token }: Caller) => {
  for (const { method, path } of operations) {
    if (method !== "GET" || path.includes("{") || !path.startsWith("/api/v1/")) continue
    const headers = { authorization: `Bearer ${token}`, "x-organization-id": String(organization) }
    const answer = await fetch(base + path, { headers })
    if (answer.ok) harvest.read(path.split("/")[3] ?? "", ((await answer.json()) as { readonly data?: unknown }).data)
  }
}

const statuses = new Map<string, number>()
/** The latest answer of each operation: why one that never succeeds does not. */
const refusals = new Map<string, string>()
const findings = new Map<string, { readonly count: number; readonly first: string }>()

const fuzz = async (callers: ReadonlyArray<Caller>, harvest: Harvest, index: number) => {
  const fuzzed = requestAt(seed, index)
  const { finding, sent, status, text } = await send(
    base,
    fuzzed,
    callers[fuzzed.caller % callers.length] ?? {
      token: undefined,
      organization: undefined
    },
    harvest
  )
  const key = `${fuzzed.operation} ${status}`
  statuses.set(key, (statuses.get(key) ?? 0) + 1)
  refusals.set(fuzzed.operation, `${status} ${text}`.slice(0, 160))
  if (finding === undefined) return
  const name = `${fuzzed.operation} ${status} ${finding}`.slice(0, 200)
  const known = findings.get(name)
  findings.set(name, {
    count: (known?.count ?? 0) + 1,
    first: known?.first ?? `--seed ${seed} --only ${index}\n${JSON.stringify(sent, undefined, 2)}\n${text}`
  })
}

const report = (sent: number, seconds: number) => {
  const reached = new Set([...statuses.keys()].flatMap((key) => (/ 2\d\d$/.test(key) ? [key.split(" ")[0]] : [])))
  const never = operations.map(({ operationId }) => operationId).filter((id) => !reached.has(id))
  const classes = Object.groupBy([...statuses], ([key]) => `${key.split(" ").at(-1)?.[0]}xx`)
  for (const [name, entries = []] of Object.entries(classes)) {
    console.log(`${name}: ${entries.reduce((sum, [, count]) => sum + count, 0)}`)
  }
  for (const id of never) console.log(`never succeeded: ${id} ${refusals.get(id) ?? ""}`)
  for (const [name, { count, first }] of [...findings].slice(0, findings_shown_max)) {
    console.log(`\n${count} x ${name}\n${first}`)
  }
  console.log(`\nseed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s, ${findings.size} findings`)
}

try {
  const demo = await ready()
  const [own, other] = demo.organizations
  const callers: ReadonlyArray<Caller> = [
    { token: demo.users[0]?.token, organization: own?.id },
    { token: own?.token, organization: undefined },
    { token: demo.users.at(-1)?.token, organization: other?.id },
    { token: demo.users[0]?.token, organization: other?.id },
    { token: demo.users[0]?.token, organization: undefined },
    { token: undefined, organization: own?.id }
  ]
  const harvest = new Harvest()
  await seedHarvest(harvest, callers[0] ?? { token: undefined, organization: undefined })
  const started = performance.now()
  const indexes = values.only === undefined ? Array.from({ length: total }, (_, index) => index) : [Number(values.only)]
  const queue = indexes.values()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const index of queue) await fuzz(callers, harvest, index)
    })
  )
  report(indexes.length, (performance.now() - started) / 1000)
  if (findings.size > 0) writeFileSync(join(tmpdir(), `invoicing-fuzz-${seed}.log`), log.join(""))
} finally {
  service.kill("SIGTERM")
  await once(service, "exit")
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = findings.size === 0 ? 0 : 1
