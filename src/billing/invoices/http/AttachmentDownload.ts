import { toSave } from "../../../platform/http/answers/Download.ts"
import type { Download } from "../attachments/Attachments.ts"

/** Builds the file response that both the customer and the organization receive. */
export const attachmentToSave = ({ attachment, bytes }: Download) => {
  const { file_name, file_size: size_bytes, mime_type: content_type } = attachment
  return toSave({ bytes, size_bytes, content_type, file_name })
}
