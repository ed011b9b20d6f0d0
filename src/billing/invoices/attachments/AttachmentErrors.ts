import { Schema } from "effect"
import type { AttachmentId } from "../../../kernel/Ids.ts"
import { refusal } from "../../../kernel/Refusal.ts"

export class TooManyAttachments extends Schema.Error<TooManyAttachments>("TooManyAttachments")(
  refusal("TooManyAttachments", "too_many_attachments"),
  { httpApiStatus: 422, description: "The invoice has reached its maximum number of attachments." }
) {
  static of(max: number) {
    return new TooManyAttachments({ message: `An invoice may have at most ${max} attachments.` })
  }
}

export class AttachmentEmbedded extends Schema.Error<AttachmentEmbedded>("AttachmentEmbedded")(
  refusal("AttachmentEmbedded", "attachment_embedded"),
  {
    httpApiStatus: 422,
    description:
      "The file is embedded in the e-invoice; remove it from `embedded_attachment_ids` while the invoice is a draft."
  }
) {
  static of(id: AttachmentId) {
    return new AttachmentEmbedded({
      message: `Attachment ${id} is part of the e-invoice: remove it from embedded_attachment_ids while the invoice is a draft.`
    })
  }
}
