import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { attachmentDisposition } from "../../../platform/http/ContentDisposition.ts"
import { contract } from "../../../platform/http/Contract.ts"
import { paginate } from "../../../platform/http/Pagination.ts"
import { receivedUpload } from "../../../platform/http/Upload.ts"
import { Attachments, type Download } from "./Attachments.ts"
import { AttachmentsApi } from "./AttachmentsApi.ts"

/** Never shown in place of our own pages: saved, taken for nothing else, and without any right if opened anyway. */
const toSave = ({ attachment, bytes }: Download) =>
  HttpServerResponse.stream(bytes, {
    contentType: attachment.mime_type,
    contentLength: attachment.file_size,
    headers: {
      "content-disposition": attachmentDisposition(attachment.file_name),
      "content-security-policy": "default-src 'none'; sandbox"
    }
  })

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
