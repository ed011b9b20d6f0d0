import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { Operations } from "./Operations.ts"
import { OperationsApi } from "./OperationsApi.ts"

export const OperationsHttp = HttpApiBuilder.group(
  contract.add(OperationsApi),
  "operations",
  Effect.fn(function* (handlers) {
    const operations = yield* Operations
    return handlers.handleAll({
      list: ({ query }) => operations.list(query).pipe(paginate(query)),
      get: ({ params }) => operations.get(params.id)
    })
  })
)
