import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../test/support/FreePort.ts"

export interface Subject {
  readonly name: "service" | "bare"
  readonly port: number
  readonly process: ChildProcess
}

export const connections = 16
const ready_attempts_max = 600
const ready_interval_ms = 100
const stop_ms_max = 20_000

/** As `npm start` and the image set it; `NODE_OPTIONS` does not take this one. */
const heap_growth = "--heap-growing-percent=30"

interface Start {
  readonly name: Subject["name"]
  readonly script: string
  /** Of the database. */
  readonly url: string
  readonly dataDir: string
  /** Directory for a CPU profile. */
  readonly profile: string | undefined
}

export const start = async ({ dataDir, name, profile, script, url }: Start): Promise<Subject> => {
  const port = await freePort()
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
  const child = spawn(process.execPath, [...flags, heap_growth, script], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(connections),
      DATA_DIR: dataDir,
      PORT: String(port),
      // What happens later, in workers, is no cost of a request; `bench:deliveries` and `bench:ocr` measure it.
      ROLE: "api",
      RATE_LIMIT_PER_MINUTE: "1000000000",
      // A production start asks for one; of this run alone.
      SECRET_KEY: randomBytes(32).toString("base64"),
      NODE_ENV: "production",
      // As `npm start` and the image set it.
      MALLOC_ARENA_MAX: "2",
      NODE_OPTIONS: "--max-semi-space-size=16"
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  for (let attempt = 0; attempt < ready_attempts_max && child.exitCode === null; attempt++) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`, {
      signal: AbortSignal.timeout(ready_interval_ms * 10)
    }).catch(() => undefined)
    if (answered?.ok === true) return { name, port, process: child }
    await sleep(ready_interval_ms)
  }
  child.kill("SIGKILL")
  throw new Error(`${name} did not start`)
}

export const stop = async (subject: Subject) => {
  if (subject.process.exitCode !== null) return
  const ended = once(subject.process, "exit")
  subject.process.kill("SIGTERM")
  const late = setTimeout(() => subject.process.kill("SIGKILL"), stop_ms_max)
  await ended
  clearTimeout(late)
}

/** Resident memory in megabytes. */
export const memoryOf = ({ process }: Subject): number => {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
