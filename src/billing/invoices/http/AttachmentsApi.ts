import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { created, page, pageQuery, removed } from "../../../kernel/Envelope.ts"
import { AttachmentId, InvoiceId, inText } from "../../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { file_mime_types } from "../../../platform/documents/FileType.ts"
import { operation, tag, UsesOtherSystems } from "../../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../../platform/http/Refusals.ts"
import { RequestValidation } from "../../../platform/http/RequestValidation.ts"
import { Authorization } from "../../../platform/http/Security.ts"
import { StorageQuotaExceeded } from "../../../organizations/storage/StorageErrors.ts"
import { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { Attachment } from "../attachments/Attachment.ts"
import { AttachmentEmbedded, TooManyAttachments } from "../attachments/AttachmentErrors.ts"
import { described } from "../../../kernel/Described.ts"

const params = { id: inText(InvoiceId) }
const one = { ...params, attachmentId: inText(AttachmentId) }

/** The form also has a file, in a part of any name, which the handler reads as a stream. */
const fields = {
  description: described(Schema.optionalKey(Schema.String), "Description of the file, at most 1000 characters.")
}
const Form = Schema.Union([
  Schema.Struct({ file: described(Multipart.SingleFileSchema, "The file, at most 10 MB."), ...fields }),
  Schema.Struct({
    attachment: described(Multipart.SingleFileSchema, "The file, at most 10 MB; another name of `file`."),
    ...fields
  })
]).pipe(HttpApiSchema.asMultipartStream())

export class AttachmentsApi extends HttpApiGroup.make("attachments")
  .annotateMerge(tag("Attachments", "Files that belong to an invoice."))
  .add(
    HttpApiEndpoint.get("list", "/:id/attachments", {
      params,
      query: pageQuery,
      success: page(Attachment),
      error: NotFound
    }).annotateMerge(
      operation("List the attachments of an invoice", "Returns the files of the invoice, without their content.")
    ),
    HttpApiEndpoint.post("create", "/:id/attachments", {
      params,
      payload: Form,
      success: created(Attachment),
      error: [
        NotFound,
        MalformedMultipart,
        ValidationFailed,
        TooManyAttachments,
        StorageQuotaExceeded,
        StorageUnavailable
      ]
    })
      .annotateMerge(
        operation(
          "Attach a file to an invoice",
          "Stores a file of at most 10 MB in the part `file`. The type is recognized by its content; an unknown " +
            "type is refused with 422, one file too many with 422 `too_many_attachments`, and a file that exceeds the storage quota of the organization with 413.",
          "attachment.created"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.delete("remove", "/:id/attachments/:attachmentId", {
      params: one,
      success: removed(AttachmentId),
      error: [NotFound, AttachmentEmbedded]
    }).annotateMerge(
      operation(
        "Remove an attachment",
        "Removes the file. A file that is a part of an issued e-invoice is refused with 422 `attachment_embedded`.",
        "attachment.deleted"
      )
    ),
    HttpApiEndpoint.get("download", "/:id/attachments/:attachmentId/download", {
      params: one,
      success: HttpApiSchema.StreamUint8Array({ contentType: file_mime_types }),
      error: [NotFound, StorageUnavailable]
    }).annotateMerge(operation("Download an attachment", "Returns the bytes of the file."))
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/invoices") {}
