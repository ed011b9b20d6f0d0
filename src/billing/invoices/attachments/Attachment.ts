import { Schema } from "effect"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { AttachmentId, InvoiceId } from "../../../kernel/Ids.ts"
import { Text } from "../../../kernel/Text.ts"
import { recordEvent } from "../../../platform/events/RecordEvent.ts"
import { described } from "../../../kernel/Described.ts"

export const Attachment = Schema.Struct({
  id: AttachmentId,
  invoice_id: InvoiceId,
  file_name: described(Schema.String, "Name of the file.", "timesheet.pdf"),
  file_size: described(Schema.Int, "Size in bytes."),
  mime_type: described(Schema.String, "Media type, detected from the content.", "application/pdf"),
  description: described(Schema.NullOr(Schema.String), "Description of the file; null if there is none."),
  created_at: described(Timestamp, "Time of the upload.")
}).annotate({ identifier: "Attachment", description: "A file that belongs to an invoice, without its content." })
export type Attachment = typeof Attachment.Type

export const attachmentEvent = recordEvent("attachment", Attachment)

export const attachments_per_invoice_max = 100

const name_characters_max = 255
const description_characters_max = 1000

/** Direction marks can disguise the extension of a file name, so names may not contain them. */
const direction_marks = /[\u202a-\u202e\u2066-\u2069]/u

/** The name of a file as clients see it, without the folders that some clients send with it. */
export const FileName = Text(name_characters_max).check(
  Schema.isPattern(/[^\s.]/, { message: "must have a file name." }),
  Schema.isPattern(/^[^\r\n\t]*$/, { message: "may not have a file name with control characters." }),
  Schema.makeFilter((name) => !direction_marks.test(name), {
    message: "may not have a file name with characters that change the direction of text."
  })
)

export const Description = Text(description_characters_max)

export const lastSegment = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)
