import { readdirSync, readFileSync } from "node:fs"
import { seed } from "../bench/parts/Data.ts"
import { databaseClient } from "../support/OwnDatabase.ts"
import { memory_variables, type ServiceProcess, startProcess } from "../support/ServiceProcess.ts"

const descriptors_needed = 11_000
const invoices_each = 100

export const startTarget = (url: string, dataDir: string): Promise<ServiceProcess> =>
  startProcess({
    variables: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      ...memory_variables,
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SIGNING_KEY: Buffer.alloc(32, 7).toString("base64")
    }
  })

/** Number of open file descriptors. Nearly all of them are connections. */
export const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

export const checkDescriptors = (pid: number) => {
  const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1]
  if (Number(limit) >= descriptors_needed || limit === "unlimited") return
  console.log(`This machine allows a process ${limit} descriptors: 10,000 connections cannot be held open.`)
}

/** Seeds the organizations of the bench, each with one user, a token `pat_bench<number>` and a bank account. */
export const seedTarget = async (url: string, organizations: number) => {
  await seed(url, { organizations, invoices: invoices_each, large: 0 })
  const client = await databaseClient(url)
  await client.query(
    "insert into bank_accounts (id, organization_id, name, currency) select id, id, 'Current', 'EUR' from organizations"
  )
  await client.end()
}

export const bankAccountOf = (organization: number) => organization

export const invoiceOf = (organization: number) => (organization - 1) * invoices_each + 1
