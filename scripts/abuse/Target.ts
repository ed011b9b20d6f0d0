import { readdirSync, readFileSync } from "node:fs"
import { Client } from "pg"
import { type ServiceProcess, startProcess } from "../ServiceProcess.ts"

const descriptors_needed = 11_000
const invoices_each = 100

/** The service that is attacked, as production runs it. */
export const startTarget = (url: string, dataDir: string): Promise<ServiceProcess> =>
  startProcess({
    variables: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
    }
  })

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
