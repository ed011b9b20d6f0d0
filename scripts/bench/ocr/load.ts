/**
 * `node scripts/bench/ocr/load.ts <url> <token> <process id> <folder> <count>` uploads receipts all at once to a
 * service with ROLE=all and a high RATE_LIMIT_PER_MINUTE. It measures how this delays other requests, and how much
 * memory the service uses.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { childrenOf } from "../parts/Cpu.ts"

const [url = "http://localhost:3000", token = "", service = "0", folder = "", count = "80"] = process.argv.slice(2)
const api = `${url}/api/v1`
const headers = { authorization: `Bearer ${token}` }
const pause_ms = 50
const idle_ms = 20_000
const polled_at_once = 12
const uploaded_at_once = 24

const memoryOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  } catch {
    // The process has ended since its id was read.
    return 0
  }
}

/** True if the process reads receipts. Other child processes of the service may be those of its database. */
const isReader = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("ReceiptReaderChild")
  } catch {
    // The process has ended since its id was read.
    return false
  }
}

const peak = { all: 0, service: 0, child: 0 }

const watchMemory = () => {
  const own = memoryOf(Number(service))
  const children = childrenOf(Number(service)).filter(isReader).map(memoryOf)
  peak.service = Math.max(peak.service, own)
  peak.child = Math.max(peak.child, ...children)
  peak.all = Math.max(
    peak.all,
    children.reduce((sum, one) => sum + one, own)
  )
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

const answered = async (path: string, init: Asked = {}) => {
  const begun = performance.now()
  const response = await fetch(`${api}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  const body: unknown = await response.json()
  return { status: response.status, body, ms: performance.now() - begun }
}

const customer = () =>
  answered("/customers", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: `Customer ${crypto.randomUUID()}`, country: "FR", type: "business" })
  })

/** Sends requests that read or write data until `isOver`; returns percentiles 50, 95 and 99 of their durations. */
const costs = async (isOver: () => boolean | Promise<boolean>) => {
  const times = { reads: Array<number>(), writes: Array<number>() }
  while (!(await isOver())) {
    for (let round = 0; round < 10; round++) {
      times.reads.push((await answered("/invoices?per_page=1")).ms)
      times.writes.push((await customer()).ms)
      await sleep(pause_ms)
    }
    watchMemory()
  }
  return { reads: shares(times.reads), writes: shares(times.writes) }
}

const shares = (times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((share) => Number((sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1)))
}

const idle = () => {
  const end = performance.now() + idle_ms
  return costs(() => performance.now() > end)
}

const upload = async (name: string): Promise<string> => {
  const form = new FormData()
  form.set("receipt", new Blob([readFileSync(join(folder, name))]), name)
  const { body, status } = await answered("/expenses/upload-receipt", { method: "POST", body: form })
  if (status !== 202) throw new Error(`${name} was refused: ${JSON.stringify(body)}`)
  // Boundary: the contract declares this answer of an upload.
  return (body as { readonly data: { readonly receipt_ref: string } }).data.receipt_ref
}

await idle()
console.log("ms at 50, 95 and 99 %, before:", JSON.stringify(await idle()))
const begun = performance.now()
const names = readdirSync(folder).filter((name) => /\.(?:jpe?g|png)$/.test(name))
const open = new Set<string>()
const waiting = names.slice(0, Number(count))
const uploadAll = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) open.add(await upload(name))
}
// The number of uploads at a time is limited, because more connections would only wait in the queue of the kernel.
await Promise.all(Array.from({ length: uploaded_at_once }, uploadAll))
console.log(`${open.size} uploaded in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
const ends: Record<string, number> = {}
const poll = async () => {
  for (const ref of [...open].slice(0, polled_at_once)) {
    const { body, status } = await answered(`/expenses/ocr/${ref}`)
    if (status !== 200) continue
    open.delete(ref)
    // Boundary: the contract declares this answer.
    const { data } = body as { readonly data: { readonly status: string } }
    ends[data.status] = (ends[data.status] ?? 0) + 1
  }
  return open.size === 0
}
console.log("meanwhile:", JSON.stringify(await costs(poll)))
console.log(`${JSON.stringify(ends)} in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
const megabytes = [peak.all, peak.service, peak.child].map((one) => one.toFixed(0))
console.log(`peak memory ${megabytes[0]} MB: the service ${megabytes[1]} MB, the largest child ${megabytes[2]} MB`)
