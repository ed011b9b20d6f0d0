import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { DocumentFile } from "../correspondence/Correspondence.ts"

export const PdfFile = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" }))

/** Lets the browser show the PDF, and save it under the document's number, whose characters are safe in a header. */
export const inlinePdf = ({ bytes, name }: DocumentFile) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/pdf",
    headers: { "content-disposition": `inline; filename="${name}"` }
  })
