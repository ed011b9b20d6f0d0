import { Schema } from "effect"
import { refusal } from "../../../kernel/Refusal.ts"

/**
 * Too many documents wait, a first attempt to make the PDF failed, its process was killed, or no process could start. A
 * retry can succeed.
 */
export class PdfUnavailable extends Schema.Error<PdfUnavailable>("PdfUnavailable")(
  refusal("PdfUnavailable", "pdf_unavailable"),
  { httpApiStatus: 503, description: "The PDF could not be made in time; try again later." }
) {
  static of() {
    return new PdfUnavailable({ message: "The PDF could not be made in time. Try again later." })
  }
}

/** The document is too long, or two attempts to make it failed, so it must change before it can be printed. */
export class PdfTooComplex extends Schema.Error<PdfTooComplex>("PdfTooComplex")(
  refusal("PdfTooComplex", "pdf_too_complex"),
  {
    httpApiStatus: 422,
    description: "Making the PDF took too much time or memory in two attempts; shorten the texts of the document."
  }
) {
  static of() {
    return new PdfTooComplex({
      message:
        "The document is too complex for a PDF: making it took too much time or memory in two attempts. Shorten its texts."
    })
  }
}

export type PdfRefused = PdfUnavailable | PdfTooComplex
