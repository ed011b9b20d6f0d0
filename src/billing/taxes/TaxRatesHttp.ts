import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginate } from "../../platform/http/Pagination.ts"
import { TaxRates } from "./TaxRates.ts"
import { TaxRatesApi } from "./TaxRatesApi.ts"

export const TaxRatesHttp = HttpApiBuilder.group(
  contract.add(TaxRatesApi),
  "taxRates",
  Effect.fn(function* (handlers) {
    const rates = yield* TaxRates
    return handlers.handleAll({
      list: ({ query }) => rates.page(query).pipe(paginate(query)),
      get: ({ params }) => rates.get(params.id)
    })
  })
)
