import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { RefundRemoval } from "./RefundRemoval.ts"
import { RefundsApi } from "./RefundsApi.ts"

export const RefundsHttp = HttpApiBuilder.group(
  contract.add(RefundsApi),
  "refunds",
  Effect.fn(function* (handlers) {
    const refunds = yield* RefundRemoval
    return handlers.handleAll({
      remove: ({ params }) => withETag(refunds.remove(params.id, params.refund_id))
    })
  })
)
