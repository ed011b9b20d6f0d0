import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { toSave } from "../platform/http/answers/Download.ts"
import { Dashboards } from "./dashboard/Dashboards.ts"
import { type ExportFile, RecordExports } from "./export/RecordExports.ts"
import { ProfitReports } from "./profit/ProfitReports.ts"
import { Receivables } from "./receivables/Receivables.ts"
import { ReportsApi, top_customers_default } from "./ReportsApi.ts"
import { RevenueReports } from "./sales/RevenueReports.ts"
import { VatReports } from "./taxes/VatReports.ts"

export const ReportsHttp = HttpApiBuilder.group(
  contract.add(ReportsApi),
  "reports",
  Effect.fn(function* (handlers) {
    const receivables = yield* Receivables
    const dashboards = yield* Dashboards
    const exports = yield* RecordExports
    const profit = yield* ProfitReports
    const revenues = yield* RevenueReports
    const taxes = yield* VatReports
    return handlers.handleAll({
      agedReceivables: ({ query }) => receivables.aged(query.as_of),
      dashboard: ({ query }) => dashboards.dashboard(query.period),
      export: ({ payload }) => Effect.map(exports.export(payload), fileOf),
      profitLoss: ({ query }) => profit.profitLoss(query),
      revenue: ({ query }) => revenues.revenue(query),
      topCustomers: ({ query }) => revenues.topCustomers(query.limit ?? top_customers_default),
      vat: ({ query }) => taxes.vat(query)
    })
  })
)

const content_types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" }

const fileOf = ({ bytes, format, name }: ExportFile) =>
  toSave({ bytes, content_type: content_types[format], file_name: name })
