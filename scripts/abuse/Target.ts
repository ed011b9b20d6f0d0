import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { freePort } from "../../test/support/FreePort.ts"
import { childOfTool } from "../Tool.ts"

const start_attempts_max = 600
const probe_ms_max = 5_000
const descriptors_needed = 11_000
const invoices_each = 100

/** The service that is attacked. */
export interface Target {
  readonly port: number
  readonly pid: number
  readonly process: ChildProcess
}

export const startService = async (url: string, dataDir: string): Promise<Target> => {
  const port = await freePort()
  const service = childOfTool(
    spawn(process.execPath, ["src/main.ts"], {
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: url,
        SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
      },
      stdio: ["ignore", "ignore", "inherit"]
    })
  )
  for (let attempt = 0; attempt < start_attempts_max; attempt++) {
    const signal = AbortSignal.timeout(probe_ms_max)
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`, { signal }).catch(() => undefined)
    if (answered?.ok === true) return { port, pid: service.pid ?? 0, process: service }
    await sleep(100)
  }
  service.kill("SIGKILL")
  throw new Error("The service did not start.")
}

export const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Nearly all of them are connections. */
export const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

export const checkDescriptors = (pid: number) => {
  const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1]
  if (Number(limit) >= descriptors_needed || limit === "unlimited") return
  console.log(`This machine allows a process ${limit} descriptors: 10,000 connections cannot be held open.`)
}

/** The organizations of the bench, one user each with a token `pat_bench<number>`. */
export const seed = async (url: string, organizations: number) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const text = readFileSync(new URL("../bench/seed.sql", import.meta.url), "utf8")
  try {
    await client.query(
      text.replaceAll(":organizations", String(organizations)).replaceAll(":invoices", String(invoices_each))
    )
  } finally {
    await client.end()
  }
}

/** The first invoice of an organization. */
export const invoiceOf = (organization: number) => (organization - 1) * invoices_each + 1
