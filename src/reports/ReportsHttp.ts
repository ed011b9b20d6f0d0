import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { attachmentDisposition } from "../platform/http/ContentDisposition.ts"
import { contract } from "../platform/http/Contract.ts"
import { Dashboards } from "./dashboard/Dashboards.ts"
import { type ExportFile, Exports } from "./export/Exports.ts"
import { ProfitReports } from "./profit/ProfitReports.ts"
import { Receivables } from "./receivables/Receivables.ts"
import { ReportsApi, top_customers_default } from "./ReportsApi.ts"
import { RevenueReports } from "./sales/RevenueReports.ts"
import { VatReports } from "./taxes/VatReports.ts"

export const ReportsHandlers = HttpApiBuilder.group(
  contract.add(ReportsApi),
  "reports",
  Effect.fn(function* (handlers) {
    const receivables = yield* Receivables
    const dashboards = yield* Dashboards
    const exports = yield* Exports
    const profit = yield* ProfitReports
    const revenues = yield* RevenueReports
    const taxes = yield* VatReports
    return handlers.handleAll({
      agedReceivables: ({ query }) => receivables.aged(query.as_of),
      dashboard: ({ query }) => dashboards.dashboard(query.period),
      export: ({ payload }) => Effect.map(exports.export(payload), toSave),
      profitLoss: ({ query }) => profit.profitLoss(query),
      revenue: ({ query }) => revenues.revenue(query),
      topCustomers: ({ query }) => revenues.topCustomers(query.limit ?? top_customers_default),
      vat: ({ query }) => taxes.vat(query)
    })
  })
)

const content_types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" }

const toSave = ({ bytes, format, name }: ExportFile) =>
  HttpServerResponse.stream(bytes, {
    contentType: content_types[format],
    headers: { "content-disposition": attachmentDisposition(name) }
  })
