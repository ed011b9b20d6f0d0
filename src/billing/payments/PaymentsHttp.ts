import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { Payments } from "./Payments.ts"
import { Refunds } from "./Refunds.ts"
import { PaymentsApi } from "./PaymentsApi.ts"

export const PaymentsHttp = HttpApiBuilder.group(
  contract.add(PaymentsApi),
  "payments",
  Effect.fn(function* (handlers) {
    const payments = yield* Payments
    const refunds = yield* Refunds
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, payments.list),
      create: ({ payload }) => withETag(payments.create(payload)),
      get: ({ params }) => withETag(payments.get(params.id)),
      update: ({ params, payload }) => withETag(payments.update(params.id, payload)),
      remove: ({ params }) => payments.remove(params.id),
      refund: ({ params, payload }) => withETag(refunds.refund(params.id, payload ?? {})),
      refundInvoice: ({ params, payload }) => withETag(refunds.refundOverpaid(params.invoiceId, payload ?? {})),
      summary: ({ params }) => payments.summary(params.invoiceId)
    })
  })
)
