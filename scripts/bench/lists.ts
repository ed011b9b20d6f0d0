/** `npm run bench:lists` measures how long PostgreSQL takes for a page of a million invoices of one organization. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import type { InvoicesQuery } from "../../src/billing/invoices/Invoice.ts"
import { InvoiceListRepo } from "../../src/billing/invoices/InvoiceListRepo.ts"
import { Day, Timestamp } from "../../src/kernel/Calendar.ts"
import { CustomerId, OrganizationId } from "../../src/kernel/Ids.ts"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { ownDatabase } from "../OwnDatabase.ts"
import { runTool } from "../Tool.ts"
import { largeLedger, statementsOf } from "./Data.ts"

const invoices = Number(process.env.BENCH_INVOICES ?? 1_000_000)
/** A slower list fails the run. */
const limit_ms = 50
/** Number of calls after which the driver's prepared statement has switched to its generic plan. */
const calls = 15
/** Prints the plan of the lists whose name contains this text. */
const plan = process.env.BENCH_PLAN

const organization = OrganizationId.make(1)
const today = Day.make("2026-06-30")
const deep = Math.floor(invoices / 25)

const middle = "2025-01-01 12:00:00+00"
const since = Timestamp.make("2024-01-01T00:00:00.000Z")

const lists: ReadonlyArray<readonly [string, InvoicesQuery]> = [
  ["first page", {}],
  ["first page of 100", { per_page: 100 }],
  ["page in the middle", { page: Math.ceil(deep / 2) }],
  ["last page", { page: deep }],
  ["beyond the last page", { page: deep + 10 }],
  ["drafts", { status: "draft" }],
  ["sent", { status: "sent" }],
  ["partially paid", { status: "partially_paid" }],
  ["paid", { status: "paid" }],
  ["paid, page 20,000", { status: "paid", page: 20_000 }],
  ["overdue", { status: "overdue" }],
  ["overdue, page 500", { status: "overdue", page: 500 }],
  ["credited", { status: "credited" }],
  ["unpaid", { status: "unpaid" }],
  ["one month", { date_from: Day.make("2025-03-01"), date_to: Day.make("2025-03-31") }],
  ["one year, page 10,000", { date_from: Day.make("2025-01-01"), date_to: Day.make("2025-12-31"), page: 10_000 }],
  ["overdue in one year", { status: "overdue", date_from: Day.make("2024-01-01"), date_to: Day.make("2024-12-31") }],
  ["a customer with 500", { customer_id: CustomerId.make(2) }],
  ["a customer with 100,000", { customer_id: CustomerId.make(1) }],
  ["that customer, page 4,000", { customer_id: CustomerId.make(1), page: 4_000 }],
  ["that customer, overdue", { customer_id: CustomerId.make(1), status: "overdue" }],
  ["search: a number", { search: "INV-2024-0500000" }],
  ["search: the end of it", { search: "4711" }],
  ["search: nothing found", { search: "ABC-1" }],
  ["by change", { sort: "updated_at" }],
  ["changed on the last day", { updated_since: Timestamp.make("2026-06-30T00:00:00.000Z") }],
  ["by cursor", { after: null }],
  ["by cursor, 100", { after: null, per_page: 100 }],
  ["by cursor, in the middle", { after: { key: "2025-01-01", id: 500_000 } }],
  ["by cursor, near the end", { after: { key: "2023-07-03", id: 100 } }],
  ["by cursor, paid", { after: { key: "2025-01-01", id: 500_000 }, status: "paid" }],
  ["by cursor, overdue", { after: { key: "2025-01-01", id: 500_000 }, status: "overdue" }],
  ["by cursor, a customer", { after: { key: "2025-01-01", id: 500_000 }, customer_id: CustomerId.make(1) }],
  ["by cursor, by change", { after: { key: middle, id: 500_000 }, sort: "updated_at" }],
  ["by cursor, changed since", { after: { key: middle, id: 500_000 }, updated_since: since }],
  ["by cursor, latest change", { after: { key: middle, id: 500_000 }, sort: "-updated_at" }],
  ["by cursor, the end of a number", { after: null, search: "4711" }],
  ["by change, the end of a number", { sort: "updated_at", search: "4711" }],
  ["by cursor, by id", { after: { key: "500000", id: 500_000 }, sort: "-id" }]
]

interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<{ readonly "Planning Time": number; readonly "Execution Time": number }>
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set statement_timeout = 0`
  const ledger = largeLedger({ invoices, last: today, organization, customer: 1, customers: 2000 })
  const start = statementsOf(readFileSync(new URL("./lists.sql", import.meta.url), "utf8"))
  for (const statement of [...start, ...ledger]) yield* sql.unsafe(statement)
})

const measure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* InvoiceListRepo
  const slow: Array<string> = []
  console.log(`${invoices} invoices in one organization; milliseconds, medians of ${calls}.`)
  console.log("list                          PostgreSQL  with driver      total")
  for (const [name, query] of lists) {
    const statement = repo.statement(organization, query, today)
    const explained: Array<number> = []
    const called: Array<number> = []
    let total = 0
    for (let call = 0; call < calls; call++) {
      const [row] = yield* sql<Explained>`explain (analyze, buffers, format json) ${statement}`
      const [top] = row?.["QUERY PLAN"] ?? []
      explained.push((top?.["Planning Time"] ?? 0) + (top?.["Execution Time"] ?? 0))
      const started = performance.now()
      const listing = yield* repo.list(organization, query, today)
      total = "total" in listing ? listing.total : listing.rows.length
      called.push(performance.now() - started)
    }
    if (plan !== undefined && name.includes(plan)) {
      const lines = yield* sql<{ "QUERY PLAN": string }>`explain (analyze, buffers) ${statement}`
      for (const line of lines) console.log(line["QUERY PLAN"])
    }
    const [inside, outside] = [median(explained), median(called)]
    if (inside > limit_ms) slow.push(name)
    const figures = [inside.toFixed(2).padStart(10), outside.toFixed(2).padStart(12), String(total).padStart(10)]
    console.log(name.padEnd(28), ...figures)
  }
  return slow
})

runTool(
  Effect.gen(function* () {
    const { connection } = yield* ownDatabase({ durable: false })
    // There is one connection, so that a setting of the session applies to everything that follows.
    const database = pgLayer(connection, 1)
    const slow = yield* migrate("migrations").pipe(
      Effect.andThen(seed),
      Effect.andThen(measure),
      Effect.provide(Layer.provideMerge(InvoiceListRepo.layer, database))
    )
    if (slow.length === 0) return
    console.log(`Slower than ${limit_ms} ms: ${slow.join(", ")}`)
    process.exitCode = 1
  })
)
