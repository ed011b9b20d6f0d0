import { mkdirSync, writeFileSync } from "node:fs"

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
  readonly service: Figures
  /** Figures of the same work in the bare server; absent if it has none. */
  readonly bare: Figures | undefined
}

interface Run {
  readonly results: ReadonlyArray<Result>
  /** Subject, machine and load of the measurement, one sentence each. */
  readonly facts: ReadonlyArray<string>
}

const folder = new URL("./results/", import.meta.url)

export const cpuOfRequest = ({ database_ms, server_ms }: Figures) => server_ms + database_ms

/** Writes the table and the plot. */
export const writeResults = (run: Run): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL("bench.md", folder), markdown(run))
  writeFileSync(new URL("bench.svg", folder), plot(run.results))
}

const number = (value: number) => (value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(1) : value.toFixed(0))

const cells = ({ database_ms, p50_ms, p99_ms, per_second, server_ms }: Figures) =>
  [per_second, server_ms, database_ms, p50_ms, p99_ms].map(number)

const row = (values: ReadonlyArray<string>) => `| ${values.join(" | ")} |`

const ratio = (above: number, below: number) => (above / below).toFixed(2)

export const markdown = ({ facts, results }: Run): string => {
  const lines = results.map(({ bare, operation, service }) =>
    row([
      operation,
      ...cells(service),
      ...(bare === undefined ? Array.from({ length: 5 }, () => "-") : cells(bare)),
      bare === undefined ? "-" : ratio(service.per_second, bare.per_second),
      bare === undefined ? "-" : ratio(cpuOfRequest(bare), cpuOfRequest(service)),
      String(service.failures + (bare?.failures ?? 0))
    ])
  )
  const figures = ["req/s", "CPU ms", "PostgreSQL ms", "p50 ms", "p99 ms"]
  const header = [
    "Operation",
    ...figures,
    ...figures.map((figure) => `limit: ${figure}`),
    "ratio req/s",
    "ratio CPU",
    "failures"
  ]
  return [
    "# Cost of a request",
    "",
    "`npm run bench` wrote this. The limit is a bare node:http and pg server (`scripts/bench/bare.ts`) on the same database",
    "in the same run; a ratio of 1.00 reaches it. CPU is that of one request, in the server and in PostgreSQL.",
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

/** Plots the CPU per request on a logarithmic scale: the service beside its limit. */
const plot = (results: ReadonlyArray<Result>): string => {
  const costs = results.flatMap(({ bare, service }) =>
    [service, ...(bare === undefined ? [] : [bare])].map(cpuOfRequest)
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
  const rows = results.map(({ bare, operation, service }, index) => {
    const y = top + index * line + line / 2
    const at = x(cpuOfRequest(service)).toFixed(1)
    const limit = bare === undefined ? undefined : x(cpuOfRequest(bare)).toFixed(1)
    return [
      `<text class="name" x="${left - 12}" y="${y + 4}">${operation}</text>`,
      limit === undefined ? "" : `<path class="gap" d="M${limit} ${y}H${at}"/>`,
      limit === undefined ? "" : `<circle class="limit" cx="${limit}" cy="${y}" r="5"/>`,
      `<circle class="service" cx="${at}" cy="${y}" r="5"/>`
    ].join("")
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">
<title>CPU milliseconds of a request: the service and the bare limit</title>
<style>
  text { fill: #333 } .axis { text-anchor: middle } .name { text-anchor: end } .grid { stroke: #8884 }
  .gap { stroke: #888; stroke-width: 2 } .service { fill: #1769c4 } .limit { fill: none; stroke: #c45517; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .service { fill: #6cb2ff } .limit { stroke: #ff9b63 } }
</style>
<circle class="service" cx="${left}" cy="16" r="5"/><text x="${left + 12}" y="20">service</text>
<circle class="limit" cx="${left + 80}" cy="16" r="5"/><text x="${left + 92}" y="20">bare limit; CPU ms of a request, server and PostgreSQL</text>
${[...grid, ...rows].join("\n")}
</svg>
`
}
