/**
 * `npm run bench` measures the service beside a bare server, on one database, in interleaved rounds, and writes
 * `results/`. `npm run bench -- --only list` measures the operations whose name contains the text, and writes nothing.
 */
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ownDatabase } from "../OwnDatabase.ts"
import { memoryOf } from "../ServiceProcess.ts"
import { runTool } from "../Tool.ts"
import { cpuOf, cpuOfTree } from "./Cpu.ts"
import { type Books, seed } from "./Data.ts"
import { load } from "./Load.ts"
import { type Operation, operationsOn } from "./Operations.ts"
import { cpuOfRequest, type Figures, markdown, type Result, writeResults } from "./Results.ts"
import { connections, start, stop, type Subject } from "./Service.ts"

const { only = "" } = parseArgs({ options: { only: { type: "string" } } }).values
const books: Books = {
  organizations: Number(process.env.BENCH_ORGANIZATIONS ?? 100),
  invoices: Number(process.env.BENCH_INVOICES ?? 1000),
  large: Number(process.env.BENCH_LARGE ?? (only === "" || only.startsWith("large") ? 1_000_000 : 0))
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warm_up_seconds = 1.5
const warming_operations = 4
/** Directory for a CPU profile of the service. */
const profile = process.env.BENCH_PROFILE
const memory_mb_max = 300

const measure = async (subject: Subject, operation: Operation, postgres: number): Promise<Figures> => {
  const { pid } = subject
  const before = [cpuOf(pid), cpuOfTree(postgres)] as const
  const { requests, ...figures } = await load(
    subject.port,
    operation.next,
    operation.connections ?? connections,
    seconds
  )
  return {
    per_second: requests / figures.seconds,
    failures: figures.failures,
    p50_ms: figures.p50_ms,
    p99_ms: figures.p99_ms,
    server_ms: (cpuOf(pid) - before[0]) / requests,
    database_ms: (cpuOfTree(postgres) - before[1]) / requests
  }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const typical = (all: ReadonlyArray<Figures>): Figures => ({
  per_second: median(all.map((one) => one.per_second)),
  p50_ms: median(all.map((one) => one.p50_ms)),
  p99_ms: median(all.map((one) => one.p99_ms)),
  server_ms: median(all.map((one) => one.server_ms)),
  database_ms: median(all.map((one) => one.database_ms)),
  failures: all.reduce((sum, one) => sum + one.failures, 0)
})

/** The rounds of both servers alternate, so that other load of the machine affects both. */
const compare = async (operation: Operation, service: Subject, bare: Subject, postgres: number): Promise<Result> => {
  const subjects = operation.hasLimit ? [service, bare] : [service]
  const measured = new Map(subjects.map((subject): [Subject, Array<Figures>] => [subject, []]))
  for (const { port } of subjects) {
    await load(port, operation.next, operation.connections ?? connections, warm_up_seconds)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [subject, figures] of measured) figures.push(await measure(subject, operation, postgres))
  }
  const [ours = [], limit] = [measured.get(service), measured.get(bare)]
  return { operation: operation.name, service: typical(ours), bare: limit === undefined ? undefined : typical(limit) }
}

const print = ({ bare, operation, service }: Result) => {
  const { database_ms, failures, p50_ms, p99_ms, per_second, server_ms } = service
  const cpu = `${server_ms.toFixed(3)} + ${database_ms.toFixed(3)} ms CPU`
  const times = `p50 ${p50_ms.toFixed(1)} p99 ${p99_ms.toFixed(1)} ms`
  const limit =
    bare === undefined
      ? ""
      : `, of the limit: ${(per_second / bare.per_second).toFixed(2)} req/s, ${(cpuOfRequest(bare) / cpuOfRequest(service)).toFixed(2)} CPU`
  const failed = failures + (bare?.failures ?? 0)
  console.log(
    `${operation.padEnd(20)} ${per_second.toFixed(0).padStart(6)} req/s, ${cpu}, ${times}${limit}` +
      (failed === 0 ? "" : `, ${failed} FAILED`)
  )
}

const bench = async (url: string, postgres: number, dataDir: string) => {
  const subjects: Array<Subject> = []
  const begin = async (name: Subject["name"], script: string) => {
    const subject = await start({ name, script, url, dataDir, profile })
    subjects.push(subject)
    return subject
  }
  try {
    const [busy = 0] = loadavg()
    // The service creates the schema.
    const service = await begin("service", "src/main.ts")
    const seeded = await seed(url, books)
    const total = books.organizations * books.invoices + books.large
    console.log(`${total} invoices made in ${seeded.toFixed(0)} s`)
    const bare = await begin("bare", "scripts/bench/bare.ts")
    const results: Array<Result> = []
    const operations = operationsOn(books).filter(({ name }) => name.includes(only))
    // A process spends its first seconds on compiling.
    for (const { port } of subjects) {
      for (const { next } of operations.filter(({ hasLimit }) => hasLimit).slice(0, warming_operations)) {
        await load(port, next, connections, warm_up_seconds)
      }
    }
    for (const operation of operations) {
      const result = await compare(operation, service, bare, postgres)
      print(result)
      results.push(result)
    }
    const memory = Math.round(memoryOf(service.pid))
    const facts = [
      `${total} invoices of ${books.organizations} organizations, the large one with ${books.large}; made in ${seeded.toFixed(0)} s.`,
      `${connections} connections, ${rounds} rounds of ${seconds} s for each server in turn; medians.`,
      `${availableParallelism()} cores; load average before the run ${busy.toFixed(1)}.`,
      `Memory of the service after the load: ${memory} MB, at most ${memory_mb_max} wanted.`
    ]
    console.log(facts.at(-1))
    if (only === "") writeResults({ results, facts })
    else console.log(markdown({ results, facts }))
  } finally {
    await Promise.all(subjects.map(stop))
  }
}

runTool(
  Effect.gen(function* () {
    const { dataDir, pid, url } = yield* ownDatabase()
    const files = join(dataDir, "files")
    mkdirSync(files)
    yield* Effect.promise(() => bench(url, pid, files))
  })
)
