import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../../platform/http/Contract.ts"
import { paginate, paginateListing } from "../../../platform/http/Pagination.ts"
import { withETag } from "../../../platform/http/Precondition.ts"
import { inlinePdf } from "../../printing/PdfFile.ts"
import { DocumentDeliveries } from "../../sending/deliveries/DocumentDeliveries.ts"
import { Payments } from "../../payments/Payments.ts"
import { InvoicePdf } from "../sending/InvoicePdf.ts"
import { InvoiceSender } from "../sending/InvoiceSender.ts"
import { InvoiceRemover } from "../writing/InvoiceRemover.ts"
import { Invoices } from "../writing/Invoices.ts"
import { InvoicesApi } from "./InvoicesApi.ts"

export const InvoicesHttp = HttpApiBuilder.group(
  contract.add(InvoicesApi),
  "invoices",
  Effect.fn(function* (handlers) {
    const invoices = yield* Invoices
    const removing = yield* InvoiceRemover
    const payments = yield* Payments
    const sending = yield* InvoiceSender
    const invoicePdf = yield* InvoicePdf
    const deliveries = yield* DocumentDeliveries
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, invoices.list),
      create: ({ payload }) => withETag(invoices.create(payload)),
      get: ({ params }) => withETag(invoices.get(params.id)),
      update: ({ params, payload }) => withETag(invoices.update(params.id, payload)),
      remove: ({ params }) => removing.remove(params.id),
      duplicate: ({ params }) => withETag(invoices.duplicate(params.id)),
      markPaid: ({ params, payload }) => withETag(payments.markPaid(params.id, payload ?? {})),
      markSent: ({ params, payload }) => withETag(invoices.markSent(params.id, payload ?? {})),
      send: ({ params, payload }) => withETag(sending.send(params.id, payload ?? {})),
      deliveries: ({ params: { id }, query }) =>
        Effect.andThen(invoices.get(id), deliveries.list("invoice", id, query).pipe(paginate(query))),
      pdf: ({ params }) => Effect.map(invoicePdf.render(params.id), inlinePdf)
    })
  })
)
