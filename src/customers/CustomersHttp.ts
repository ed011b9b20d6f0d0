import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginateListing } from "../platform/http/Pagination.ts"
import { withETag } from "../platform/http/Precondition.ts"
import { Customers } from "./Customers.ts"
import { CustomersApi } from "./CustomersApi.ts"

export const CustomersHttp = HttpApiBuilder.group(
  contract.add(CustomersApi),
  "customers",
  Effect.fn(function* (handlers) {
    const customers = yield* Customers
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, customers.list),
      create: ({ payload }) => withETag(customers.create(payload)),
      get: ({ params }) => withETag(customers.get(params.id)),
      update: ({ params, payload }) => withETag(customers.update(params.id, payload)),
      remove: ({ params }) => customers.remove(params.id)
    })
  })
)
