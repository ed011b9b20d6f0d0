/** `npm run bench:reports` measures how long reports over a million invoices of one organization take. */
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { Day } from "../../src/kernel/Calendar.ts"
import { AuditLog } from "../../src/platform/events/AuditLog.ts"
import type { Caller } from "../../src/platform/http/Security.ts"
import { Database, pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { Dashboards } from "../../src/reports/dashboard/Dashboards.ts"
import { RecordExports } from "../../src/reports/export/RecordExports.ts"
import { ProfitReports } from "../../src/reports/profit/ProfitReports.ts"
import { Receivables } from "../../src/reports/receivables/Receivables.ts"
import { RevenueReports } from "../../src/reports/sales/RevenueReports.ts"
import { VatReports } from "../../src/reports/taxes/VatReports.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { runTool } from "../support/Tool.ts"
import { asCaller, organization } from "./parts/Caller.ts"
import { largeLedger, otherLists, statementsOf } from "./parts/Data.ts"
import { timed } from "./parts/Timing.ts"

const invoices = Number(process.env.BENCH_INVOICES ?? 1_000_000)
/** Time limit in milliseconds of a report that reads stored totals (tallies): the same as for a page of a list. */
const tallied_ms = 50
/** Time limit in milliseconds of a report by customer or for a past day, which reads all entries of its period. */
const read_ms = 500
const calls = 5

const last = Day.make("2026-06-30")
const quarter = { start_date: Day.make("2026-04-01"), end_date: last }
const year = { start_date: Day.make("2025-01-01"), end_date: Day.make("2025-12-31") }
const ever = { start_date: Day.make("2023-01-01"), end_date: last }

const textOf = (file: string) => readFileSync(new URL(`./sql/${file}`, import.meta.url), "utf8")

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set statement_timeout = 0`
  const books = { invoices, last, organization: organization.id, customer: 1, customers: 2000 }
  const further = statementsOf(textOf("reports.sql").replaceAll(":last", last))
  const statements = [...statementsOf(textOf("lists.sql")), ...largeLedger(books), ...otherLists(books), ...further]
  for (const statement of statements) yield* sql.unsafe(statement)
})

const measure = Effect.fnUntraced(function* (postgres: number) {
  const receivables = yield* Receivables
  const dashboards = yield* Dashboards
  const revenues = yield* RevenueReports
  const taxes = yield* VatReports
  const profits = yield* ProfitReports
  const reports: ReadonlyArray<readonly [string, number, Effect.Effect<unknown, unknown, Caller>]> = [
    ["revenue of a quarter, by day", tallied_ms, revenues.revenue({ ...quarter, group_by: "day" })],
    ["revenue of a year, by month", tallied_ms, revenues.revenue({ ...year, group_by: "month" })],
    ["revenue of all years, by week", tallied_ms, revenues.revenue({ ...ever, group_by: "week" })],
    ["revenue of a year, by customer", read_ms, revenues.revenue({ ...year, group_by: "customer" })],
    ["top customers", read_ms, revenues.topCustomers(10)],
    ["VAT of a quarter", tallied_ms, taxes.vat(quarter)],
    ["VAT of a year", tallied_ms, taxes.vat(year)],
    ["VAT of all years, monthly", tallied_ms, taxes.vat({ ...ever, grouping: "monthly" })],
    ["profit and loss of a year", tallied_ms, profits.profitLoss(year)],
    ["dashboard of a month", tallied_ms, dashboards.dashboard("this_month")],
    ["dashboard of a year", tallied_ms, dashboards.dashboard("last_year")],
    ["aged receivables of the last day", read_ms, receivables.aged(last)],
    ["aged receivables a month ago", read_ms, receivables.aged(Day.make("2026-05-31"))],
    ["aged receivables two years ago", read_ms, receivables.aged(Day.make("2024-06-30"))]
  ]
  console.log(`${invoices} invoices and expenses in one organization; medians of ${calls} calls.`)
  return yield* timed(
    reports.map(([name, aim_ms, read]) => ({ name, aim_ms, read })),
    { postgres, calls }
  )
})

/** Exports all invoices in one request, while a timer samples the memory of the process. */
const exportAll = Effect.gen(function* () {
  const exports = yield* RecordExports
  for (const format of ["csv", "json"] as const) {
    let peak = process.memoryUsage.rss()
    const before = peak
    let bytes = 0
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    const file = yield* exports.export({ resource: "invoices", format })
    yield* Stream.runForEach(file.bytes, (part) =>
      Effect.sync(() => {
        bytes += part.length
        peak = Math.max(peak, process.memoryUsage.rss())
      })
    )
    const { system, user } = process.cpuUsage(cpu)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const figures = `${(bytes / 1e6).toFixed(0)} MB in ${seconds} s, ${((system + user) / 1e6).toFixed(1)} s of CPU here`
    console.log(`export in ${format}: ${figures}, memory +${((peak - before) / 1e6).toFixed(0)} MB`)
  }
})

const services = Layer.mergeAll(
  Receivables.layer,
  Dashboards.layer,
  RevenueReports.layer,
  VatReports.layer,
  ProfitReports.layer,
  RecordExports.layer
).pipe(Layer.provide([Database.layer, AuditLog.layer]))

runTool(
  Effect.gen(function* () {
    const { connection, pid } = yield* ownDatabase({ durable: false })
    // The pool has one connection, so that a setting of the session applies to every later query.
    const database = pgLayer(connection, 1)
    const missing = yield* migrate("migrations").pipe(
      Effect.andThen(seed),
      Effect.andThen(exportAll),
      Effect.andThen(measure(pid)),
      asCaller,
      Effect.provide(Layer.provideMerge(services, database))
    )
    if (missing.length === 0) return
    console.log(`Slower than their aim: ${missing.join(", ")}`)
    process.exitCode = 1
  })
)
