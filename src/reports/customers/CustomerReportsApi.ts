import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { CustomerId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { period } from "../periods/Period.ts"
import { CustomerStatement } from "./CustomerStatement.ts"
import { CustomerStatistics } from "./CustomerStatistics.ts"

const params = { id: inText(CustomerId) }

export class CustomerReportsApi extends HttpApiGroup.make("customerReports")
  .annotateMerge(tag("Customer reports", "Statement of account and figures of one customer."))
  .add(
    HttpApiEndpoint.get("statement", "/:id/statement", {
      params,
      query: period,
      success: data(CustomerStatement),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "Get the statement of a customer",
        "Lists invoices, credit notes, payments and refunds of a period with the running balance, in the " +
          "currency of the organization. Amounts are decimal texts. A document without an exchange rate is listed " +
          "under `unconverted`."
      )
    ),
    HttpApiEndpoint.get("statistics", "/:id/statistics", {
      params,
      success: data(CustomerStatistics),
      error: NotFound
    }).annotateMerge(
      operation(
        "Get the statistics of a customer",
        "Returns how much was invoiced to the customer, how much the customer has paid and owes, and the average time to pay."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
