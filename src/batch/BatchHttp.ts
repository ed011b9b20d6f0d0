import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { BatchApi } from "./BatchApi.ts"
import { Batches } from "./Batches.ts"

export const BatchHttp = HttpApiBuilder.group(
  contract.add(BatchApi),
  "batch",
  Effect.fn(function* (handlers) {
    const batches = yield* Batches
    return handlers.handleAll({
      createInvoices: ({ payload }) => batches.createInvoices(payload),
      sendInvoices: ({ payload }) => batches.sendInvoices(payload),
      updateInvoices: ({ payload }) => batches.updateInvoices(payload),
      remove: ({ query }) => {
        const { "ids[]": listed = [], atomic = false, ids = [], resource } = query
        return batches.remove({ resource, atomic, ids: [...listed, ...ids] })
      }
    })
  })
)
