import { Effect } from "effect"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import type { Attachment } from "../attachments/Attachment.ts"
import type { InvoiceFacts } from "../Invoice.ts"

/** EN 16931 BR-CL-24: media types that an e-invoice may embed. */
const embeddable_types: ReadonlyArray<string> = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "text/csv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.spreadsheet"
]

/** Maximum total size, in MiB, of the files that are embedded in the XML of an invoice. */
const embedded_mib_max = 5
const mib = 1024 * 1024

/** Refuses files that are not attached to the invoice, have an unsupported type, or exceed the maximum total size. */
export const requireEmbeddable = (
  { embedded_attachment_ids = [] }: InvoiceFacts["details"],
  attachments: ReadonlyArray<Pick<Attachment, "id" | "file_size" | "mime_type">>
) => {
  const errors = embedded_attachment_ids.flatMap((id, index): Array<[string, ReadonlyArray<string>]> => {
    const field = `embedded_attachment_ids.${index}`
    const attachment = attachments.find((one) => one.id === id)
    if (attachment === undefined) return [[field, [`The ${field} field must name an attachment of the invoice.`]]]
    if (embeddable_types.includes(attachment.mime_type)) return []
    return [[field, [`The ${field} field must name a PDF, PNG, JPEG, CSV, XLSX or ODS file.`]]]
  })
  const bytes = attachments.reduce(
    (sum, { file_size, id }) => (embedded_attachment_ids.includes(id) ? sum + file_size : sum),
    0
  )
  if (bytes > embedded_mib_max * mib) {
    const message = `The embedded_attachment_ids field may not name files of more than ${embedded_mib_max} MiB together.`
    errors.push(["embedded_attachment_ids", [message]])
  }
  return errors.length > 0 ? Effect.fail(ValidationFailed.of(Object.fromEntries(errors))) : Effect.void
}
