import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { CustomerReports } from "./CustomerReports.ts"
import { CustomerReportsApi } from "./CustomerReportsApi.ts"

export const CustomerReportsHttp = HttpApiBuilder.group(
  contract.add(CustomerReportsApi),
  "customerReports",
  Effect.fn(function* (handlers) {
    const reports = yield* CustomerReports
    return handlers.handleAll({
      statement: ({ params, query }) => reports.statement(params.id, query),
      statistics: ({ params }) => reports.statistics(params.id)
    })
  })
)
