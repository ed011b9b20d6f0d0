import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"

export interface Figures {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** CPU milliseconds per request, in the server's process and in PostgreSQL. */
  readonly server_ms: number
  readonly database_ms: number
  readonly failures: number
}

export interface Result {
  readonly operation: string
  /** Desired ratio of the service's capacity to the minimal server's; undefined if that server lacks the operation. */
  readonly aim: number | undefined
  readonly service: Figures
  readonly limit: Figures | undefined
}

interface Run {
  readonly results: ReadonlyArray<Result>
  /** Sentences about the run: what was measured, on which machine and under which load. */
  readonly facts: ReadonlyArray<string>
}

const folder = new URL("../results/", import.meta.url)
const history = new URL("history.tsv", folder)

const cpuOfRequest = ({ database_ms, server_ms }: Figures) => server_ms + database_ms

/** Divides the service's capacity by that of the minimal server, by CPU time and by requests per second. */
const ratiosOf = ({ limit, service }: Result) =>
  limit === undefined
    ? undefined
    : {
        cpu: cpuOfRequest(limit) / cpuOfRequest(service),
        per_second: service.per_second / limit.per_second
      }

export const writeResults = (run: Run): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL("bench.md", folder), markdown(run))
  writeFileSync(new URL("bench.svg", folder), plot(run.results))
  const day = new Date().toISOString().slice(0, 10)
  const lines = run.results.flatMap((result) => {
    const ratios = ratiosOf(result)
    return ratios === undefined ? [] : `${day}\t${result.operation}\t${ratios.cpu.toFixed(2)}\n`
  })
  appendFileSync(history, lines.join(""))
}

const runs_shown_max = 5

/** Returns the CPU ratios of an operation in earlier runs, the oldest first. */
const formerly = (operation: string): ReadonlyArray<number> =>
  (existsSync(history) ? readFileSync(history, "utf8").trim().split("\n") : [])
    .map((line) => line.split("\t"))
    .flatMap(([, name, ratio]) => (name === operation ? [Number(ratio)] : []))
    .slice(-runs_shown_max)

/** Between two runs without a change of the code, a ratio may differ by this share. */
const noise_share = 0.1

const judgement = (result: Result): string => {
  const ratio = ratiosOf(result)?.cpu
  if (ratio === undefined || result.aim === undefined) return "-"
  const before = formerly(result.operation).at(-1)
  if (before !== undefined && ratio < before * (1 - noise_share)) return "WORSE"
  return ratio >= result.aim ? "met" : "missing"
}

export const sentenceOf = (result: Result): string => {
  const { limit, operation, service } = result
  const { database_ms, p50_ms, p99_ms, per_second, server_ms } = service
  const ratios = ratiosOf(result)
  const compared =
    ratios === undefined
      ? ""
      : `, of the limit: ${ratios.per_second.toFixed(2)} req/s, ${ratios.cpu.toFixed(2)} CPU (aim ${result.aim}: ${judgement(result)})`
  const failed = service.failures + (limit?.failures ?? 0)
  return (
    `${operation.padEnd(20)} ${per_second.toFixed(0).padStart(6)} req/s, ` +
    `${server_ms.toFixed(3)} + ${database_ms.toFixed(3)} ms CPU, p50 ${p50_ms.toFixed(1)} p99 ${p99_ms.toFixed(1)} ms` +
    compared +
    (failed === 0 ? "" : `, ${failed} FAILED`)
  )
}

const number = (value: number) => (value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(1) : value.toFixed(0))

const cells = ({ database_ms, p50_ms, p99_ms, per_second, server_ms }: Figures) =>
  [per_second, server_ms, database_ms, p50_ms, p99_ms].map(number)

const row = (values: ReadonlyArray<string>) => `| ${values.join(" | ")} |`

const absent = (count: number): ReadonlyArray<string> => Array.from({ length: count }, () => "-")

export const markdown = ({ facts, results }: Run): string => {
  const lines = results.map((result) => {
    const { aim, limit, operation, service } = result
    const ratios = ratiosOf(result)
    return row([
      operation,
      ...cells(service),
      ...(limit === undefined ? absent(5) : cells(limit)),
      ...(ratios === undefined ? absent(2) : [ratios.per_second.toFixed(2), ratios.cpu.toFixed(2)]),
      aim === undefined ? "-" : aim.toFixed(2),
      judgement(result),
      aim === undefined ? "-" : formerly(operation).join(", "),
      String(service.failures + (limit?.failures ?? 0))
    ])
  })
  const figures = ["req/s", "CPU ms", "PostgreSQL ms", "p50 ms", "p99 ms"]
  const ratios = ["ratio req/s", "ratio CPU", "aim", "judgement", "ratio CPU of earlier runs"]
  const header = ["Operation", ...figures, ...figures.map((figure) => `limit: ${figure}`), ...ratios, "failures"]
  return [
    "# Cost of a request",
    "",
    "`npm run bench` wrote this. The limit is node:http with one SQL function per request on a schema of its own",
    "(`scripts/bench/limit`), on the same PostgreSQL in the same run; a ratio of 1.00 reaches it. CPU is that of one request,",
    "in the server and in PostgreSQL. WORSE says that the ratio fell by more than a tenth since the run before.",
    "",
    ...facts.map((fact) => `- ${fact}`),
    "",
    row(header),
    row(header.map((_, index) => (index === 0 ? "---" : "---:"))),
    ...lines,
    "",
    "![CPU of a request beside the limit](bench.svg)",
    ""
  ].join("\n")
}

const width = 860
const left = 190
const right = 30
const top = 56
const line = 24
const steps_ms = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

/** Plots the CPU per request on a logarithmic scale, for the service and for the minimal server. */
const plot = (results: ReadonlyArray<Result>): string => {
  const costs = results.flatMap(({ limit, service }) =>
    [service, ...(limit === undefined ? [] : [limit])].map(cpuOfRequest)
  )
  const first = steps_ms.findLast((step) => step <= Math.min(...costs)) ?? 0.1
  const last = steps_ms.find((step) => step >= Math.max(...costs)) ?? 100
  const x = (ms: number) => left + ((width - left - right) * Math.log(ms / first)) / Math.log(last / first)
  const height = top + results.length * line + 16
  const grid = steps_ms
    .filter((step) => step >= first && step <= last)
    .map((step) => {
      const at = x(step).toFixed(1)
      return `<path class="grid" d="M${at} ${top - 8}V${height - 16}"/><text class="axis" x="${at}" y="${top - 14}">${step}</text>`
    })
  const rows = results.map(({ limit, operation, service }, index) => {
    const y = top + index * line + line / 2
    const at = x(cpuOfRequest(service)).toFixed(1)
    const atLimit = limit === undefined ? undefined : x(cpuOfRequest(limit)).toFixed(1)
    return [
      `<text class="name" x="${left - 12}" y="${y + 4}">${operation}</text>`,
      atLimit === undefined ? "" : `<path class="gap" d="M${atLimit} ${y}H${at}"/>`,
      atLimit === undefined ? "" : `<circle class="limit" cx="${atLimit}" cy="${y}" r="5"/>`,
      `<circle class="service" cx="${at}" cy="${y}" r="5"/>`
    ].join("")
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">
<title>CPU milliseconds of a request: the service and the limit</title>
<style>
  text { fill: #333 } .axis { text-anchor: middle } .name { text-anchor: end } .grid { stroke: #8884 }
  .gap { stroke: #888; stroke-width: 2 } .service { fill: #1769c4 } .limit { fill: none; stroke: #c45517; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .service { fill: #6cb2ff } .limit { stroke: #ff9b63 } }
</style>
<circle class="service" cx="${left}" cy="16" r="5"/><text x="${left + 12}" y="20">service</text>
<circle class="limit" cx="${left + 80}" cy="16" r="5"/><text x="${left + 92}" y="20">limit; CPU ms of a request, server and PostgreSQL</text>
${[...grid, ...rows].join("\n")}
</svg>
`
}
