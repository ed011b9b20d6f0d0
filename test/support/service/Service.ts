import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import type { Connection } from "../../../src/platform/sql/Database.ts"
import { bundledService } from "./BundledService.ts"
import { freePort } from "../counterparts/FreePort.ts"
import { answering, isRunning, outputOf } from "./Process.ts"

/** Time after which a process that does not stop is killed. */
const stop_ms_max = 60_000

/** The service with the flags that `npm start` gives it, which also save a sixth of the processor time of a start. */
export const serviceCommand = [
  process.execPath,
  "--max-semi-space-size=16",
  "--no-parallel-scavenge",
  await bundledService()
]

/** The service in a separate process, on an existing database. */
export interface Service {
  readonly url: string
  readonly pid: number
  readonly running: () => boolean
  readonly output: () => string
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<number | string | null>
  /** Waits until the service answers on /health/live. */
  readonly listening: Promise<void>
}

export const startService = async (
  connection: Connection,
  variables: Record<string, string | undefined> = {},
  [program = "", ...parameters]: ReadonlyArray<string> = serviceCommand
): Promise<Service> => {
  const port = Number(variables["PORT"] ?? (await freePort()))
  const dataDir = variables["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "invoicing-service-"))
  const child = spawn(program, parameters, {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: urlOf(connection),
      SEED_DEMO: "false",
      RATE_LIMIT_PER_MINUTE: "1000000",
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SIGNING_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...variables
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const output = outputOf(child)
  const ended = once(child, "close").then(([code, signal]) => {
    if (variables["DATA_DIR"] === undefined) rmSync(dataDir, { recursive: true, force: true })
    return code ?? signal
  })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    pid: child.pid ?? 0,
    running: () => isRunning(child),
    output,
    kill: (signal) => void child.kill(signal),
    ended,
    listening: answering(child, `${url}/health/live`, output)
  }
}

export const urlOf = ({ database, host, password, port, prepare, username }: Connection) => {
  const account = `${username}:${encodeURIComponent(Redacted.value(password))}`
  return `postgres://${account}@${host}:${port}/${database}?prepare=${prepare !== false}`
}

/** Starts the service, waits until it listens, and stops it with the scope. */
export const service = (connection: Connection, variables: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const started = await startService(connection, variables)
      await started.listening
      return started
    }),
    ({ ended, kill, running }) =>
      Effect.promise(async () => {
        if (running()) kill("SIGTERM")
        const timer = setTimeout(() => kill("SIGKILL"), stop_ms_max)
        await ended
        clearTimeout(timer)
      })
  )

/** Connection settings of the test's database, for another process. */
export const here = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ name } = { name: "" }] = yield* sql<{ name: string }>`select current_database() as name`
  const server = inject("postgres")
  return { ...server, database: name, password: Redacted.make(server.password) }
})
