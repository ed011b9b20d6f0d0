import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"

/** Number of connections to the database, which is lower than the number of slow readers in the test. */
const connections = 2
const wait_ms_max = 60_000

const { app, open } = useBilling({ databaseConnections: connections })

/** Enough records (15 MB) that neither the socket nor its reader can buffer all of them. */
const seedCustomers = (organization: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into customers (organization_id, name, notes, search)
        select ${organization}, 'Many ' || n, repeat('x', 5000), '' from generate_series(1, 3000) n`
    })
  )

const renameNotes = (from: string, to: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table customers rename column ${sql(from)} to ${sql(to)}`
    })
  )

/** Reads the beginning of an export, and pauses until the test continues. */
const begun = async (books: Books) => {
  const response = await fetch(`${app.url}/api/v1/reports/export`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${books.owner.token}`,
      "x-organization-id": String(books.id),
      "content-type": "application/json"
    },
    body: JSON.stringify({ resource: "customers" }),
    signal: AbortSignal.timeout(wait_ms_max)
  })
  const reader = response.body?.getReader()
  if (reader === undefined) throw new Error("There is no body.")
  expect((await reader.read()).done).toBe(false)
  return reader
}

const read = async (reader: Awaited<ReturnType<typeof begun>>) => {
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes += value.length
  }
}

describe("an export that is read slowly", () => {
  it("holds no database connection, and is complete in the end", async () => {
    const books = await open()
    await seedCustomers(books.id)
    const readers = await Promise.all(Array.from({ length: connections * 2 }, () => begun(books)))
    expect((await books.call("GET", "/reports/top-customers")).status).toBe(200)
    expect((await books.call("POST", "/customers", { name: "Meanwhile" })).status).toBe(201)
    const sizes = await Promise.all(readers.map(read))
    expect(new Set(sizes.map((bytes) => bytes > 15_000_000))).toEqual(new Set([true]))
  })

  it("breaks the connection when it cannot continue, so that no part looks complete", async () => {
    const books = await open()
    await seedCustomers(books.id)
    const reader = await begun(books)
    await renameNotes("notes", "gone")
    await expect(read(reader)).rejects.toThrow()
    await renameNotes("gone", "notes")
    expect((await books.call("GET", "/customers")).status).toBe(200)
  })
})
