import { HttpServerResponse } from "effect/http"
import { attachmentDisposition } from "../../../platform/http/ContentDisposition.ts"
import type { Download } from "./Attachments.ts"

/** Never shown in place of our own pages: saved, taken for nothing else, and without any right if opened anyway. */
export const toSave = ({ attachment, bytes }: Download) =>
  HttpServerResponse.stream(bytes, {
    contentType: attachment.mime_type,
    contentLength: attachment.file_size,
    headers: {
      "content-disposition": attachmentDisposition(attachment.file_name),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff"
    }
  })
