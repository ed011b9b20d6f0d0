/** `npm run bench:lists` measures the pages of every kind of list, with a million rows in one organization. */
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { BankTransactionsRepo } from "../../src/banking/transactions/BankTransactionsRepo.ts"
import type { InvoicesQuery } from "../../src/billing/invoices/Invoice.ts"
import { InvoiceListRepo } from "../../src/billing/invoices/InvoiceListRepo.ts"
import { PaymentsRepo } from "../../src/billing/payments/PaymentsRepo.ts"
import { ExpensesRepo } from "../../src/expenses/ExpensesRepo.ts"
import { Day, Timestamp } from "../../src/kernel/Calendar.ts"
import { CustomerId, OrganizationId } from "../../src/kernel/Ids.ts"
import { AuditLog } from "../../src/platform/events/AuditLog.ts"
import { AuditTrail } from "../../src/platform/events/AuditTrail.ts"
import { Database, pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { EventsRepo } from "../../src/webhooks/events/EventsRepo.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { runTool } from "../support/Tool.ts"
import { largeLedger, otherLists, statementsOf } from "./parts/Data.ts"
import { timed } from "./parts/Timing.ts"

const invoices = Number(process.env.BENCH_INVOICES ?? 1_000_000)
/** Time limit for a page of a list, in milliseconds. A slower list fails the run. */
const aim_ms = 50
/** Number of rows of the small organization. Its lists should take as long as those of the large one. */
const few = 1_000
/** Number of calls of each list. After the first few calls, PostgreSQL uses one generic plan for every call. */
const calls = 15
/** Text from the environment: the run prints the query plan of each list whose name contains this text. */
const plan = process.env.BENCH_PLAN

const organization = OrganizationId.make(1)
const small = OrganizationId.make(2)
const today = Day.make("2026-06-30")
const deep = Math.floor(invoices / 25)

const middle = "2025-01-01 12:00:00+00"
const of_2025 = { date_from: Day.make("2025-01-01"), date_to: Day.make("2025-12-31") }
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
  ["due in one month", { due_from: Day.make("2026-07-01"), due_to: Day.make("2026-07-31") }],
  ["due from a day on", { due_from: Day.make("2023-01-01") }],
  [
    "due in one month, by due date",
    { due_from: Day.make("2026-07-01"), due_to: Day.make("2026-07-31"), sort: "due_date" }
  ],
  ["overdue in one year", { status: "overdue", date_from: Day.make("2024-01-01"), date_to: Day.make("2024-12-31") }],
  ["a customer with 500", { customer_id: CustomerId.make(2) }],
  ["a customer with 100,000", { customer_id: CustomerId.make(1) }],
  ["that customer, page 4,000", { customer_id: CustomerId.make(1), page: 4_000 }],
  ["that customer, overdue", { customer_id: CustomerId.make(1), status: "overdue" }],
  ["search: a number", { search: "INV-2024-0500000" }],
  ["search: the end of it", { search: "4711" }],
  ["search: nothing found", { search: "ABC-1" }],
  ["by due date", { sort: "due_date" }],
  ["overdue, by due date", { status: "overdue", sort: "due_date" }],
  ["sent, by due date, by cursor", { status: "sent", sort: "due_date", after: null }],
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

/** Reads of all lists except invoices, in the large organization and in the small one. */
const otherReads = Effect.gen(function* () {
  const payments = yield* PaymentsRepo
  const expenses = yield* ExpensesRepo
  const lines = yield* BankTransactionsRepo
  const events = yield* EventsRepo
  const trail = yield* AuditTrail
  const kinds = [
    ["payments", payments.list],
    ["expenses", expenses.list],
    ["bank lines", lines.list]
  ] as const
  const pages = kinds.flatMap(
    ([kind, list]) =>
      [
        [`${kind}: few`, list(small, {})],
        [`${kind}: first page`, list(organization, {})],
        [`${kind}: first page of 100`, list(organization, { per_page: 100 })],
        [`${kind}: page in the middle`, list(organization, { page: Math.ceil(deep / 2) })],
        [`${kind}: near the end`, list(organization, { page: deep - Math.ceil(deep / 10) })],
        [`${kind}: beyond the last page`, list(organization, { page: 2 * deep })],
        [`${kind}: deep in a year`, list(organization, { ...of_2025, page: Math.ceil(deep / 5) })],
        [`${kind}: by change`, list(organization, { sort: "updated_at" })],
        [`${kind}: by cursor`, list(organization, { after: null })],
        [`${kind}: by cursor, in the middle`, list(organization, { after: { key: "2025-01-01", id: invoices / 2 } })],
        [`${kind}: by cursor, changed since`, list(organization, { after: null, updated_since: since })]
      ] as const
  )
  const place = (after: number) => ({
    organization_id: organization,
    after,
    until: Number.MAX_SAFE_INTEGER,
    types: undefined,
    limit: 100,
    bytes_max: 8_000_000
  })
  const filtered = [
    ["payments: of a method, page 3,000", payments.list(organization, { payment_method: "card", page: 3_000 })],
    ["payments: of a customer's name", payments.list(organization, { search: "Customer 1999" })],
    ["expenses: of a category, page 3,000", expenses.list(organization, { category: "rent", page: 3_000 })],
    ["bank lines: unmatched, page 1,000", lines.list(organization, { status: "unmatched", page: 1_000 })],
    ["events: first 100", events.list(place(0))],
    ["events: in the middle", events.list(place(invoices / 2))],
    ["audit: first 1,000", Stream.runHead(trail.parts(organization, 1_000))],
    ["audit: in the middle", Stream.runHead(trail.parts(organization, invoices / 2 + 1_000, invoices / 2))]
  ] as const
  return [...pages, ...filtered].map(([name, read]) => ({ name, read, aim_ms }))
})

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set statement_timeout = 0`
  const books = [
    { invoices, last: today, organization, customer: 1, customers: 2000 },
    { invoices: few, last: today, organization: small, customer: 2001, customers: 1 }
  ]
  const start = statementsOf(readFileSync(new URL("./sql/lists.sql", import.meta.url), "utf8"))
  const statements = [...start, ...books.flatMap((book) => [...largeLedger(book), ...otherLists(book)])]
  for (const statement of statements) yield* sql.unsafe(statement)
})

const measure = Effect.fnUntraced(function* (postgres: number) {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* InvoiceListRepo
  if (plan !== undefined) {
    for (const [, query] of lists.filter(([name]) => name.includes(plan))) {
      const statement = repo.statement(organization, query, today)
      const explained = yield* sql<{ "QUERY PLAN": string }>`explain (analyze, buffers) ${statement}`
      for (const line of explained) console.log(line["QUERY PLAN"])
    }
  }
  console.log(`${invoices} rows of each list in one organization, ${few} in another; medians of ${calls} calls.`)
  const ofInvoices = lists.map(([name, query]) => ({ name, read: repo.list(organization, query, today), aim_ms }))
  const fewInvoices = { name: "first page of few", read: repo.list(small, {}, today), aim_ms }
  return yield* timed([fewInvoices, ...ofInvoices, ...(yield* otherReads)], { postgres, calls })
})

const repos = Layer.mergeAll(
  InvoiceListRepo.layer,
  PaymentsRepo.layer,
  ExpensesRepo.layer,
  BankTransactionsRepo.layer,
  EventsRepo.layer,
  AuditTrail.layer
).pipe(Layer.provide([Database.layer, AuditLog.layer]))

runTool(
  Effect.gen(function* () {
    const { connection, pid } = yield* ownDatabase({ durable: false })
    // The pool has one connection, so that a setting of the session applies to every later query.
    const missing = yield* migrate("migrations").pipe(
      Effect.andThen(seed),
      Effect.andThen(measure(pid)),
      Effect.provide(Layer.provideMerge(repos, pgLayer(connection, 1)))
    )
    if (missing.length === 0) return
    console.log(`Slower than their aim: ${missing.join(", ")}`)
    process.exitCode = 1
  })
)
