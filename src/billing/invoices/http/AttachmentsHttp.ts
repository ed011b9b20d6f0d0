import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { toSave } from "../../../platform/http/answers/Download.ts"
import { contract } from "../../../platform/http/Contract.ts"
import { paginate } from "../../../platform/http/Pagination.ts"
import { receivedUpload } from "../../../platform/http/Upload.ts"
import { Attachments } from "../attachments/Attachments.ts"
import { AttachmentsApi } from "./AttachmentsApi.ts"

export const AttachmentsHttp = HttpApiBuilder.group(
  contract.add(AttachmentsApi),
  "attachments",
  Effect.fn(function* (handlers) {
    const attachments = yield* Attachments
    return handlers
      .handle("list", ({ params, query }) => attachments.list(params.id, query).pipe(paginate(query)))
      .handleRaw("create", ({ params }) => attachments.create(params.id, receivedUpload))
      .handle("remove", ({ params }) => attachments.remove(params.id, params.attachmentId))
      .handle("download", ({ params }) => Effect.map(attachments.download(params.id, params.attachmentId), toSave))
  })
)
