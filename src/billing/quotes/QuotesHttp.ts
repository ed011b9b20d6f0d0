import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginate, paginateListing } from "../../platform/http/Pagination.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { inlinePdf } from "../printing/PdfFile.ts"
import { DocumentDeliveries } from "../sending/deliveries/DocumentDeliveries.ts"
import { QuoteDecisions } from "./QuoteDecisions.ts"
import { QuotePdf } from "./QuotePdf.ts"
import { Quotes } from "./Quotes.ts"
import { QuotesApi } from "./QuotesApi.ts"
import { QuoteSender } from "./QuoteSender.ts"

export const QuotesHttp = HttpApiBuilder.group(
  contract.add(QuotesApi),
  "quotes",
  Effect.fn(function* (handlers) {
    const quotes = yield* Quotes
    const decisions = yield* QuoteDecisions
    const sending = yield* QuoteSender
    const quotePdf = yield* QuotePdf
    const deliveries = yield* DocumentDeliveries
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, quotes.list),
      create: ({ payload }) => withETag(quotes.create(payload)),
      get: ({ params }) => withETag(quotes.get(params.id)),
      update: ({ params, payload }) => withETag(quotes.update(params.id, payload)),
      remove: ({ params }) => quotes.remove(params.id),
      convertToInvoice: ({ params }) => withETag(decisions.convert(params.id)),
      duplicate: ({ params }) => withETag(quotes.duplicate(params.id)),
      markAccepted: ({ params, payload }) => withETag(decisions.accept(params.id, payload ?? {})),
      markRejected: ({ params, payload }) => withETag(decisions.reject(params.id, payload ?? {})),
      deliveries: ({ params: { id }, query }) =>
        Effect.andThen(quotes.get(id), deliveries.list("quote", id, query).pipe(paginate(query))),
      pdf: ({ params }) => Effect.map(quotePdf.render(params.id), inlinePdf),
      send: ({ params, payload }) => withETag(sending.send(params.id, payload ?? {}))
    })
  })
)
