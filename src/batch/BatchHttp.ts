import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { acceptedAs, prefersLater } from "../operations/Operation.ts"
import { contract } from "../platform/http/Contract.ts"
import { BatchApi } from "./BatchApi.ts"
import { Batches } from "./Batches.ts"
import { BatchOperations } from "./BatchOperations.ts"
import { InvoiceBatchSender } from "./InvoiceBatchSender.ts"

export const BatchHttp = HttpApiBuilder.group(
  contract.add(BatchApi),
  "batch",
  Effect.fn(function* (handlers) {
    const batches = yield* Batches
    const sending = yield* InvoiceBatchSender
    const operations = yield* BatchOperations
    return handlers.handleAll({
      createInvoices: ({ headers, payload }) =>
        prefersLater(headers)
          ? Effect.map(operations.createInvoices(payload), acceptedAs)
          : batches.createInvoices(payload),
      sendInvoices: ({ headers, payload }) =>
        prefersLater(headers)
          ? Effect.map(operations.sendInvoices(payload), acceptedAs)
          : sending.sendInvoices(payload),
      updateInvoices: ({ payload }) => batches.updateInvoices(payload),
      remove: ({ query }) => {
        const { "ids[]": listed = [], atomic = false, ids = [], resource } = query
        return batches.remove({ resource, atomic, ids: [...listed, ...ids] })
      }
    })
  })
)
