import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { CustomerNetwork } from "./CustomerNetwork.ts"
import { CustomerNetworkApi } from "./CustomerNetworkApi.ts"

export const CustomerNetworkHttp = HttpApiBuilder.group(
  contract.add(CustomerNetworkApi),
  "customerNetwork",
  Effect.fn(function* (handlers) {
    const customers = yield* CustomerNetwork
    return handlers.handleAll({ validate: ({ params }) => customers.validate(params.id) })
  })
)
