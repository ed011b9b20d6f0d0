/**
 * `npm run cluster -- --kills 10 --route hosts` runs two processes of the service on three PostgreSQL nodes with
 * Patroni, etcd and synchronous replication. While clients write, it kills the primary and processes of the service in
 * turn; afterwards every acknowledged write must exist exactly once. `--route` is the way to the primary: all hosts in
 * DATABASE_URL, HAProxy, or PgBouncer in front of HAProxy. The programs are Debian packages; missing ones are listed.
 */
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { parseDatabaseUrl } from "../../src/platform/sql/DatabaseUrl.ts"
import { memory_variables, type ServiceProcess, startProcess } from "../support/ServiceProcess.ts"
import { runTool } from "../support/Tool.ts"
import { startLoad } from "./Load.ts"
import { startNodes } from "./Nodes.ts"
import { missingPackages, place as newPlace } from "./Programs.ts"
import { databaseUrl, routes } from "./Routes.ts"
import { auditWritten } from "./Written.ts"

const { values } = parseArgs({
  options: { kills: { type: "string", default: "5" }, route: { type: "string", default: "hosts" } }
})
const kills = Number(values.kills)
const route = routes.find((route) => route === values.route)
const processes_count = 2
const clients = 6
const calm_ms = 2_000

const isRunning = ({ process }: ServiceProcess) => process.exitCode === null && process.signalCode === null

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const median = (gaps: ReadonlyArray<number>) => gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0

const report = (what: string, gaps: ReadonlyArray<number>) =>
  console.log(
    `${what}: ${gaps.length} kills, longest gap ${seconds(Math.max(0, ...gaps))}, median ${seconds(median(gaps))}`
  )

const main = Effect.gen(function* () {
  const missing = missingPackages()
  if (missing.length > 0 || route === undefined) {
    console.error(route === undefined ? `--route is ${routes.join(", ")}.` : `Install: ${missing.join(" ")}`)
    process.exitCode = 1
    return
  }
  const place = yield* Effect.acquireRelease(Effect.sync(newPlace), ({ remove }) => Effect.sync(remove))
  const nodes = yield* Effect.promise(() => startNodes(place))
  const url = yield* Effect.promise(() => databaseUrl(place, nodes, route))
  const variables = {
    ...process.env,
    ...memory_variables,
    DATABASE_URL: url,
    DATA_DIR: join(place.folder, "service"),
    NODE_ENV: "development",
    SEED_DEMO: "true",
    RATE_LIMIT_PER_MINUTE: "1000000000",
    OCR_PROCESSES: "1"
  }
  const services: Array<ServiceProcess> = []
  const ports: Array<number> = []
  let fallen = 0
  /** Starts a process again and again until it runs, like a supervisor: a start may fail while there is no primary. */
  const startOne = async (index: number) => {
    for (;;) {
      const started = await startProcess({ variables }).catch(() => undefined)
      if (started === undefined) continue
      services[index] = started
      ports[index] = started.port
      return
    }
  }
  for (let index = 0; index < processes_count; index++) yield* Effect.promise(() => startOne(index))
  const demo = JSON.parse(readFileSync(join(variables.DATA_DIR, "demo.json"), "utf8"))
  const load = startLoad(ports, { token: demo.users[0].token, customer_id: 1 }, clients)

  const connection = yield* parseDatabaseUrl("DATABASE_URL", Redacted.make(url), "read-write")
  const run = Effect.runPromiseWith(yield* Effect.context())
  const audit = () => run(Effect.provide(auditWritten(load.acknowledged), pgLayer(connection, 1)))
  const gaps: Record<"primary" | "service", Array<number>> = { primary: [], service: [] }
  const round = async (kill: number) => {
    await sleep(calm_ms)
    load.takeGap()
    const killedNode = await nodes.killPrimary()
    // The outage is over when the clients get acknowledgements again.
    const before = load.acknowledged.size
    while (load.acknowledged.size < before + clients) await sleep(50)
    gaps.primary.push(load.takeGap())
    nodes.restart(killedNode)
    await nodes.healthy()
    await sleep(calm_ms)
    load.takeGap()
    const index = kill % processes_count
    const killed = services[index]
    if (killed !== undefined && isRunning(killed)) {
      const ended = once(killed.process, "exit")
      killed.process.kill("SIGKILL")
      await ended
    }
    await startOne(index)
    for (const [other, service] of services.entries()) {
      if (isRunning(service)) continue
      fallen++
      await startOne(other)
    }
    gaps.service.push(load.takeGap())
    const { doubled, lost } = await audit()
    const last = `gaps ${seconds(gaps.primary.at(-1) ?? 0)}, ${seconds(gaps.service.at(-1) ?? 0)}`
    console.log(`${kill}/${kills}: ${last}, lost ${lost.length}, doubled ${doubled.length}`)
  }
  for (let kill = 1; kill <= kills; kill++) yield* Effect.promise(() => round(kill))
  yield* Effect.promise(() => sleep(calm_ms))
  yield* Effect.promise(load.stop)

  const { doubled, lost } = yield* Effect.promise(audit)
  report("primary", gaps.primary)
  report("service", gaps.service)
  console.log(`acknowledged ${load.acknowledged.size}, repeated requests ${load.repeated()}, ended processes ${fallen}`)
  console.log(`lost ${lost.length}, doubled ${doubled.length}, wrong answers ${load.wrong.length}`)
  for (const line of [...lost, ...doubled, ...load.wrong].slice(0, 10)) console.log(`  ${line}`)
  if (lost.length + doubled.length + load.wrong.length > 0) process.exitCode = 1
})

runTool(main)
