import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginate } from "../../platform/http/Pagination.ts"
import { BankTransactions } from "./BankTransactions.ts"
import { BankTransactionsApi } from "./BankTransactionsApi.ts"

export const BankTransactionsHttp = HttpApiBuilder.group(
  contract.add(BankTransactionsApi),
  "bankTransactions",
  Effect.fn(function* (handlers) {
    const transactions = yield* BankTransactions
    return handlers.handleAll({
      list: ({ query }) => transactions.list(query).pipe(paginate(query)),
      get: ({ params }) => transactions.get(params.id)
    })
  })
)
