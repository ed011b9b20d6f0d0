import { Effect, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { toSave } from "../../platform/http/answers/Download.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { ReceivedApi } from "./ReceivedApi.ts"
import { ReceivedDocuments } from "./ReceivedDocuments.ts"

export const ReceivedHttp = HttpApiBuilder.group(
  contract.add(ReceivedApi),
  "receivedDocuments",
  Effect.fn(function* (handlers) {
    const documents = yield* ReceivedDocuments
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, documents.list),
      get: ({ params }) => documents.get(params.id),
      document: ({ params }) =>
        Effect.map(documents.document(params.id), ({ bytes, received }) => {
          const file_name = `received-${received.id}.${received.content_type === "application/pdf" ? "pdf" : "xml"}`
          const { content_type } = received
          return toSave({ bytes: Stream.succeed(bytes), size_bytes: bytes.length, content_type, file_name })
        }),
      createExpense: ({ params, payload }) => documents.createExpense(params.id, payload ?? {}),
      accept: ({ params }) => documents.accept(params.id),
      refuse: ({ params, payload }) => documents.refuse(params.id, payload.reason)
    })
  })
)
