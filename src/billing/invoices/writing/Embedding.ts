import { Effect } from "effect"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import type { Attachment } from "../attachments/Attachment.ts"
import type { InvoiceFacts } from "../Invoice.ts"

/** EN 16931 BR-CL-24: the kinds of files that an e-invoice may hold. */
const embeddable_types: ReadonlyArray<string> = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "text/csv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.spreadsheet"
]

/** Refuses to embed a file that is no attachment of the invoice, or of a kind that no e-invoice may hold. */
export const requireEmbeddable = (
  { embedded_attachment_ids = [] }: InvoiceFacts["details"],
  attachments: ReadonlyArray<Pick<Attachment, "id" | "mime_type">>
) => {
  const errors = embedded_attachment_ids.flatMap((id, index) => {
    const field = `embedded_attachment_ids.${index}`
    const attachment = attachments.find((one) => one.id === id)
    if (attachment === undefined) return [[field, [`The ${field} field must name an attachment of the invoice.`]]]
    if (embeddable_types.includes(attachment.mime_type)) return []
    return [[field, [`The ${field} field must name a PDF, PNG, JPEG, CSV, XLSX or ODS file.`]]]
  })
  return errors.length > 0 ? Effect.fail(ValidationFailed.of(Object.fromEntries(errors))) : Effect.void
}
