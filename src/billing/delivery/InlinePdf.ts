import { HttpServerResponse } from "effect/http"
import type { DocumentFile } from "./Correspondence.ts"

/** Shown in the browser; saved under its number, whose characters are safe in a header. */
export const inlinePdf = ({ bytes, name }: DocumentFile) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/pdf",
    headers: { "content-disposition": `inline; filename="${name}"` }
  })
