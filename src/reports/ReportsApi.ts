import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { described } from "../kernel/Described.ts"
import { clamped, data } from "../kernel/Envelope.ts"
import { ValidationFailed } from "../kernel/Refusal.ts"
import { KeepsIdempotencyKeys, operation, tag } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { Dashboard, dashboardQuery } from "./dashboard/Dashboard.ts"
import { ExportedRows, ExportRequest } from "./export/ExportRequest.ts"
import { period } from "./periods/Period.ts"
import { ProfitLoss } from "./profit/ProfitLoss.ts"
import { AgedReceivables, agedReceivablesQuery } from "./receivables/AgedReceivables.ts"
import { Revenue, revenueQuery, TopCustomers } from "./sales/Revenue.ts"
import { VatReport, vatQuery } from "./taxes/VatReport.ts"

export const top_customers_default = 10
const top_customers_max = 100

export class ReportsApi extends HttpApiGroup.make("reports")
  .annotateMerge(tag("Reports", "Reports for accounting, and exports of records."))
  .add(
    HttpApiEndpoint.get("agedReceivables", "/aged-receivables", {
      query: agedReceivablesQuery,
      success: data(AgedReceivables)
    }).annotateMerge(
      operation(
        "Report aged receivables",
        "Returns what customers owe by days past due, with the invoices. Amounts are decimal texts."
      )
    ),
    HttpApiEndpoint.get("dashboard", "/dashboard", { query: dashboardQuery, success: data(Dashboard) }).annotateMerge(
      operation(
        "Report the main figures",
        "Returns revenue, expenses, profit and open amounts of a period and of the previous period. Amounts " +
          "are decimal texts."
      )
    ),
    // An export is too large to be stored for an Idempotency-Key, so a repeated request makes, and audits, a new one.
    HttpApiEndpoint.post("export", "/export", {
      payload: ExportRequest,
      success: [HttpApiSchema.StreamUint8Array({ contentType: "text/csv; charset=utf-8" }), ExportedRows],
      error: ValidationFailed
    })
      .annotateMerge(
        operation(
          "Export records",
          "Returns records of one kind as CSV or JSON. The export is recorded in the audit chain. " +
            "`Idempotency-Key` is ignored."
        )
      )
      .annotate(KeepsIdempotencyKeys, true),
    HttpApiEndpoint.get("profitLoss", "/profit-loss", {
      query: period,
      success: data(ProfitLoss),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "Report profit and loss",
        "Returns income and expenses without taxes by date of issue. Amounts are decimal texts."
      )
    ),
    HttpApiEndpoint.get("revenue", "/revenue", {
      query: revenueQuery,
      success: data(Revenue),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "Report revenue",
        "Returns revenue by day, week, month, quarter, year or customer, including empty periods. Amounts are " +
          "decimal texts."
      )
    ),
    // A limit that is out of range is clamped, like the length of a page (rules/reports.md, Principles).
    HttpApiEndpoint.get("topCustomers", "/top-customers", {
      query: { limit: described(clamped(top_customers_default, top_customers_max), "Number of customers.") },
      success: data(TopCustomers)
    }).annotateMerge(
      operation(
        "Report the best customers",
        "Returns the customers with the highest net revenue. Amounts are decimal texts."
      )
    ),
    HttpApiEndpoint.get("vat", "/vat", {
      query: vatQuery,
      success: data(VatReport),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "Report VAT",
        "Returns VAT due and deductible by rate, with the currency of every row. Amounts are decimal texts."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/reports") {}
