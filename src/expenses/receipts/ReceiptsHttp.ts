import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../kernel/Refusal.ts"
import { retryAfter, withHeaders } from "../../platform/http/answers/AnswerHeaders.ts"
import { toSave } from "../../platform/http/answers/Download.ts"
import { contract } from "../../platform/http/Contract.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { receivedUpload } from "../../platform/http/Upload.ts"
import { withExpense } from "./ReceiptForm.ts"
import { Receipts } from "./Receipts.ts"
import { ReceiptsApi } from "./ReceiptsApi.ts"

/** `Retry-After` while a receipt is being read, which takes a few seconds. */
const poll_again_seconds = 2
/** `Retry-After` of a refused upload: while another request stores a file with the same key, and during an outage. */
const upload_again_seconds: Readonly<Record<string, number>> = {
  UploadInProgress: 2,
  StorageUnavailable: 30,
  ReadingUnavailable: 30
}

export const ReceiptsHttp = HttpApiBuilder.group(
  contract.add(ReceiptsApi),
  "receipts",
  Effect.fn(function* (handlers) {
    const receipts = yield* Receipts
    return handlers
      .handleRaw(
        "upload",
        Effect.fnUntraced(function* ({ query }) {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const form = Effect.flatMap(receivedUpload, withExpense(query.expense_id))
          const { receipt, replayed } = yield* receipts.upload(form, headers["idempotency-key"]).pipe(
            Effect.tapError(({ _tag }) => {
              const seconds = upload_again_seconds[_tag]
              return seconds === undefined ? Effect.void : retryAfter(seconds)
            })
          )
          if (replayed) yield* withHeaders({ "idempotency-replayed": "true" })
          return receipt
        })
      )
      .handle(
        "poll",
        Effect.fnUntraced(function* ({ params, query }) {
          const { id } = yield* CurrentOrganization
          if (query.organization_id !== undefined && query.organization_id !== String(id)) return yield* NotFound.of()
          const receipt = yield* receipts.get(params.receipt_ref)
          if (receipt.status === "processing") yield* retryAfter(poll_again_seconds)
          return receipt
        })
      )
      .handle("download", ({ params }) => Effect.map(receipts.download(params.receipt_ref), toSave))
  })
)
