import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { CustomerId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { period } from "../periods/Period.ts"
import { CustomerStatement } from "./CustomerStatement.ts"
import { CustomerStatistics } from "./CustomerStatistics.ts"

const params = { id: inText(CustomerId) }

/** Implements the spec's "Endpoints: Customers" for statement and statistics. */
export class CustomerReportsApi extends HttpApiGroup.make("customerReports")
  .add(
    HttpApiEndpoint.get("statement", "/:id/statement", {
      params,
      query: period,
      success: data(CustomerStatement),
      error: [NotFound, ValidationFailed]
    }),
    HttpApiEndpoint.get("statistics", "/:id/statistics", {
      params,
      success: data(CustomerStatistics),
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
