import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../../platform/http/Contract.ts"
import { paginate, paginateListing } from "../../../platform/http/Pagination.ts"
import { withETag } from "../../../platform/http/Precondition.ts"
import { inlinePdf } from "../../printing/PdfFile.ts"
import { DocumentDeliveries } from "../../sending/deliveries/DocumentDeliveries.ts"
import { CreditNotePdf } from "../sending/CreditNotePdf.ts"
import { CreditNotes } from "../writing/CreditNotes.ts"
import { CreditNotesApi } from "./CreditNotesApi.ts"
import { CreditNoteSender } from "../sending/CreditNoteSender.ts"

export const CreditNotesHttp = HttpApiBuilder.group(
  contract.add(CreditNotesApi),
  "creditNotes",
  Effect.fn(function* (handlers) {
    const creditNotes = yield* CreditNotes
    const sending = yield* CreditNoteSender
    const creditNotePdf = yield* CreditNotePdf
    const deliveries = yield* DocumentDeliveries
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, creditNotes.list),
      create: ({ payload }) => withETag(creditNotes.create(payload)),
      get: ({ params }) => withETag(creditNotes.get(params.id)),
      update: ({ params, payload }) => withETag(creditNotes.update(params.id, payload)),
      remove: ({ params }) => creditNotes.remove(params.id),
      send: ({ params, payload }) => withETag(sending.send(params.id, payload ?? {})),
      deliveries: ({ params: { id }, query }) =>
        Effect.andThen(creditNotes.get(id), deliveries.list("credit_note", id, query).pipe(paginate(query))),
      pdf: ({ params }) => Effect.map(creditNotePdf.render(params.id), inlinePdf)
    })
  })
)
