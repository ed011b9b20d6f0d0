import { HttpServerResponse } from "effect/http"
import { attachmentDisposition } from "../platform/http/ContentDisposition.ts"
import type { Proven } from "./objects/Vault.ts"

/** The bytes unchanged: saved, never shown in place of our own pages, and without any right if opened anyway. */
export const toSave = ({ bytes, size_bytes }: Proven, content_type: string, file_name: string) =>
  HttpServerResponse.stream(bytes, {
    contentType: content_type,
    contentLength: size_bytes,
    headers: {
      "content-disposition": attachmentDisposition(file_name),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff"
    }
  })
