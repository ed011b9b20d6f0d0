/**
 * `npm run upgrade -- --from HEAD~1` replaces two processes of an earlier version one after the other while clients
 * write, as `src/docs/guides/backup-and-upgrade.md` describes. Each request must succeed or be refused for now, so that
 * it can be repeated. Acknowledged writes must exist exactly once, and the books must balance.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { verifyBooks } from "../../test/support/Conservation.ts"
import { startLoad } from "../cluster/Load.ts"
import { auditWritten } from "../cluster/Written.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { memory_variables, type ServiceProcess, startProcess } from "../support/ServiceProcess.ts"
import { runTool } from "../support/Tool.ts"

const { values } = parseArgs({
  options: { from: { type: "string", default: "HEAD~1" }, seconds: { type: "string", default: "5" } }
})
const calm_ms = Number(values.seconds) * 1000
const processes_count = 2
const clients = 8

const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { maxBuffer: 1 << 30 })

/** Unpacks the earlier version. If its lock file is different, its packages are installed separately. */
const checkOut = (revision: string) => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-earlier-"))
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", revision) })
  const isSameLock = git("show", `${revision}:package-lock.json`).equals(readFileSync("package-lock.json"))
  if (isSameLock) symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  else execFileSync("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const migrations = (folder: string) =>
  execFileSync("ls", [join(folder, "migrations")], { encoding: "utf8" })
    .split("\n")
    .filter((file) => /^\d/.test(file))

const main = Effect.gen(function* () {
  const earlier = yield* Effect.acquireRelease(
    Effect.sync(() => checkOut(values.from)),
    ({ remove }) => Effect.sync(remove)
  )
  const known = migrations(earlier.folder)
  const added = migrations(".").filter((file) => !known.includes(file))
  console.log(
    `from ${String(git("rev-parse", "--short", values.from)).trim()}, new migrations: ${added.join(", ") || "none"}`
  )

  const { connection, dataDir, url } = yield* ownDatabase({ durable: true })
  const data = join(dataDir, "service")
  mkdirSync(data)
  const variables = {
    ...process.env,
    ...memory_variables,
    DATABASE_URL: url,
    DATA_DIR: data,
    NODE_ENV: "development",
    SEED_DEMO: "true",
    RATE_LIMIT_PER_MINUTE: "1000000000",
    OCR_PROCESSES: "1"
  }
  const services: Array<ServiceProcess> = []
  for (let index = 0; index < processes_count; index++) {
    services.push(yield* Effect.promise(() => startProcess({ variables, folder: earlier.folder })))
  }
  const ports = services.map(({ port }) => port)
  const demo = JSON.parse(readFileSync(join(data, "demo.json"), "utf8"))
  const load = startLoad(ports, { token: demo.users[0].token, customer_id: 1 }, clients)
  yield* Effect.promise(() => sleep(calm_ms))

  load.takeGap()
  for (const { port, process: old } of services) {
    const ended = once(old, "exit")
    old.kill("SIGTERM")
    yield* Effect.promise(() => ended)
    yield* Effect.promise(() => startProcess({ variables, port }))
    yield* Effect.promise(() => sleep(calm_ms))
    console.log(`replaced one process: longest time without an acknowledged write ${Math.round(load.takeGap())} ms`)
  }
  yield* Effect.promise(load.stop)

  const database = pgLayer(connection, 1)
  const { doubled, lost } = yield* Effect.provide(auditWritten(load.acknowledged), database)
  yield* Effect.provide(verifyBooks, database)
  console.log(`acknowledged ${load.acknowledged.size}, repeated requests ${load.repeated()}, books balance`)
  console.log(`lost ${lost.length}, doubled ${doubled.length}, wrong answers ${load.wrong.length}`)
  for (const line of [...lost, ...doubled, ...load.wrong].slice(0, 10)) console.log(`  ${line}`)
  if (lost.length + doubled.length + load.wrong.length > 0) process.exitCode = 1
})

runTool(main)
