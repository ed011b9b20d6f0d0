import { argon2Sync, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Client } from "pg"
import { printPhc } from "../../../src/platform/crypto/Phc.ts"
import { databaseClient } from "../../support/OwnDatabase.ts"

const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8")

export const statementsOf = (text: string): ReadonlyArray<string> =>
  text.split(";\n").filter((statement) => statement.trim() !== "")

interface Ledger {
  readonly invoices: number
  /** Date of the newest invoice. */
  readonly last: string
  readonly organization: number
  /** Id of the first customer. The other customers have the ids after it. */
  readonly customer: number
  readonly customers: number
}

/** SQL statements that insert three years of invoices of one organization, and update PostgreSQL's statistics. */
export const largeLedger = ({ customer, customers, invoices, last, organization }: Ledger): ReadonlyArray<string> =>
  statementsOf(
    textOf("sql/million.sql")
      .replaceAll(":organization", String(organization))
      .replaceAll(":customers", String(customers))
      .replaceAll(":customer", String(customer))
      .replaceAll(":invoices", String(invoices))
      .replaceAll(":last", last)
  )

/** Returns SQL statements that fill the other lists of an organization, each with about as many rows as invoices. */
export const otherLists = ({ invoices, last, organization }: Pick<Ledger, "invoices" | "last" | "organization">) =>
  statementsOf(
    textOf("sql/other-lists.sql")
      .replaceAll(":organization", String(organization))
      .replaceAll(":rows", String(invoices))
      .replaceAll(":last", last)
  )

export const customers_per_organization = 20
export const webhooks_per_organization = 5
export const password = "correct horse battery staple"

/** Hashes the seeded users' password with the algorithm and the parameters that the service uses. */
const passwordHash = () => {
  const salt = randomBytes(16)
  const parameters = { message: password, nonce: salt, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
  const tag = argon2Sync("argon2id", parameters)
  return printPhc({ memory_kib: parameters.memory, passes: parameters.passes, parallelism: 1, salt, tag })
}

export interface Books {
  readonly organizations: number
  readonly invoices: number
  /** Number of invoices that the last organization has in addition to `invoices`. */
  readonly large: number
}

const filled = (text: string, { invoices, organizations }: Books) =>
  text
    .replaceAll(":organizations", String(organizations))
    .replaceAll(":invoices", String(invoices))
    .replaceAll(":password", passwordHash())

const connected = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = await databaseClient(url)
  try {
    await client.query("set synchronous_commit = off; set statement_timeout = 0")
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Fills a migrated database with the books of many organizations, and returns the seconds that this took. */
export const seed = (url: string, books: Books): Promise<number> =>
  connected(url, async (client) => {
    const started = performance.now()
    await client.query(filled(textOf("sql/seed.sql"), books))
    const { large, organizations } = books
    const customer = (organizations - 1) * customers_per_organization + 1
    const ledger = { invoices: large, last: "2026-06-30", organization: organizations, customer }
    const statements = large === 0 ? [] : largeLedger({ ...ledger, customers: customers_per_organization })
    for (const statement of statements) await client.query(statement)
    await client.query("vacuum analyze")
    return (performance.now() - started) / 1000
  })

/**
 * Creates the database of the minimal server (`limit/server.ts`) beside that of the service, with the same books, and
 * returns its URL.
 */
export const seedLimit = async (url: string, books: Books): Promise<string> => {
  await connected(url, (client) => client.query("create database bare"))
  const bare = new URL(url)
  bare.pathname = "/bare"
  await connected(bare.href, async (client) => {
    await client.query(filled(textOf("limit/schema.sql"), books))
    await client.query(textOf("limit/functions.sql"))
    await client.query("vacuum analyze")
  })
  return bare.href
}
