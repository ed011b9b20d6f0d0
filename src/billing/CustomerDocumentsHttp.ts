import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Customers } from "../customers/Customers.ts"
import { contract } from "../platform/http/Contract.ts"
import { paginateListing } from "../platform/http/Pagination.ts"
import { CustomerDocumentsApi } from "./CustomerDocumentsApi.ts"
import { Invoices } from "./invoices/writing/Invoices.ts"
import { Quotes } from "./quotes/Quotes.ts"

export const CustomerDocumentsHttp = HttpApiBuilder.group(
  contract.add(CustomerDocumentsApi),
  "customerDocuments",
  Effect.fn(function* (handlers) {
    const customers = yield* Customers
    const invoices = yield* Invoices
    const quotes = yield* Quotes
    return handlers.handleAll({
      invoices: ({ params: { id: customer_id }, query }) =>
        Effect.andThen(
          customers.get(customer_id),
          paginateListing(query, (query) => invoices.list({ ...query, customer_id }))
        ),
      quotes: ({ params: { id: customer_id }, query }) =>
        Effect.andThen(
          customers.get(customer_id),
          paginateListing(query, (query) => quotes.list({ ...query, customer_id }))
        )
    })
  })
)
