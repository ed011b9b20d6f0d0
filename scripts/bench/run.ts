/**
 * `npm run bench` compares the service with `limit/server.ts` on one PostgreSQL and writes `results/`. With
 * `-- --only TEXT`, it measures only the operations whose name contains TEXT (for example `list`), and writes nothing. It
 * writes nothing on a busy machine, either.
 */
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { memoryOf } from "../support/ServiceProcess.ts"
import { runTool } from "../support/Tool.ts"
import { cpuOf, cpuOfTree } from "./parts/Cpu.ts"
import { type Books, seed, seedLimit } from "./parts/Data.ts"
import { load } from "./parts/Load.ts"
import { type Operation, operationsOn } from "./parts/Operations.ts"
import { type Figures, markdown, type Result, sentenceOf, writeResults } from "./parts/Results.ts"
import { connections, start, stop, type Subject } from "./parts/Service.ts"

const { only = "" } = parseArgs({ options: { only: { type: "string" } } }).values
const books: Books = {
  organizations: Number(process.env.BENCH_ORGANIZATIONS ?? 100),
  invoices: Number(process.env.BENCH_INVOICES ?? 1000),
  large: Number(process.env.BENCH_LARGE ?? (only === "" || only.startsWith("large") ? 1_000_000 : 0))
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 6)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warm_up_seconds = 1.5
const warming_operations = 4
const profile = process.env.BENCH_PROFILE
const memory_mb_max = 300
/**
 * Largest load average before a run whose results are kept. Other load increases the CPU time of the service more than
 * that of the minimal server: at a load average of 40, the same code had about half the ratio of a quiet machine.
 */
const load_max = availableParallelism()

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

/** Measures the two servers in alternating rounds, so that other load of the machine affects both. */
const compare = async (operation: Operation, service: Subject, limit: Subject, postgres: number): Promise<Result> => {
  const subjects = operation.aim === undefined ? [service] : [service, limit]
  const measured = new Map(subjects.map((subject): [Subject, Array<Figures>] => [subject, []]))
  for (const { port } of subjects) {
    await load(port, operation.next, operation.connections ?? connections, warm_up_seconds)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [subject, figures] of measured) figures.push(await measure(subject, operation, postgres))
  }
  const [ours = [], theirs] = [measured.get(service), measured.get(limit)]
  return {
    operation: operation.name,
    aim: operation.aim,
    service: typical(ours),
    limit: theirs === undefined ? undefined : typical(theirs)
  }
}

const bench = async (url: string, postgres: number, dataDir: string) => {
  const subjects: Array<Subject> = []
  const begin = async (name: Subject["name"], script: string, url: string) => {
    const subject = await start({ name, script, url, dataDir, profile: name === "service" ? profile : undefined })
    subjects.push(subject)
    return subject
  }
  try {
    const [busy = 0] = loadavg()
    // At its start, the service creates the tables that are filled next.
    const service = await begin("service", "src/main.ts", url)
    const seeded = await seed(url, books)
    const total = books.organizations * books.invoices + books.large
    console.log(`${total} invoices made in ${seeded.toFixed(0)} s`)
    const limit = await begin("limit", "scripts/bench/limit/server.ts", await seedLimit(url, books))
    const results: Array<Result> = []
    const operations = operationsOn(books).filter(({ name }) => name.includes(only))
    // A new process is slow for some seconds, because it compiles its code. The requests of this warm-up are not
    // measured.
    for (const { port } of subjects) {
      for (const { next } of operations.filter(({ aim }) => aim !== undefined).slice(0, warming_operations)) {
        await load(port, next, connections, warm_up_seconds)
      }
    }
    for (const operation of operations) {
      const result = await compare(operation, service, limit, postgres)
      console.log(sentenceOf(result))
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
    if (only === "" && busy <= load_max) writeResults({ results, facts })
    else console.log(markdown({ results, facts }))
    if (busy > load_max) console.log(`The machine was busy (load average ${busy.toFixed(1)}): nothing was written.`)
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
