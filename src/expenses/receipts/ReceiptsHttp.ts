import { Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../kernel/Refusal.ts"
import { contract } from "../../platform/http/Contract.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { receivedUpload } from "../../platform/http/Upload.ts"
import { Receipts } from "./Receipts.ts"
import { ReceiptsApi } from "./ReceiptsApi.ts"

/** `Retry-After` while a receipt is being read, which takes a few seconds. */
const poll_again_seconds = 2
/** `Retry-After` during an outage. */
const upload_again_seconds = 30

const withHeader = (name: string, text: string) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, text))
  )

const outages: ReadonlySet<string> = new Set(["StorageUnavailable", "ReadingUnavailable"])

export const ReceiptsHttp = HttpApiBuilder.group(
  contract.add(ReceiptsApi),
  "receipts",
  Effect.fn(function* (handlers) {
    const receipts = yield* Receipts
    return handlers
      .handleRaw(
        "upload",
        Effect.fnUntraced(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const { receipt, replayed } = yield* receipts
            .upload(receivedUpload, headers["idempotency-key"])
            .pipe(
              Effect.tapError(({ _tag }) =>
                outages.has(_tag) ? withHeader("retry-after", String(upload_again_seconds)) : Effect.void
              )
            )
          if (replayed) yield* withHeader("idempotency-replayed", "true")
          return receipt
        })
      )
      .handle(
        "poll",
        Effect.fnUntraced(function* ({ params, query }) {
          const { id } = yield* CurrentOrganization
          if (query.organization_id !== undefined && query.organization_id !== String(id)) return yield* NotFound.of()
          const receipt = yield* receipts.get(params.receipt_ref)
          if (receipt.status === "processing") yield* withHeader("retry-after", String(poll_again_seconds))
          return receipt
        })
      )
  })
)
