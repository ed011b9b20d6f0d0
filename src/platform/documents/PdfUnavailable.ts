import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** Too many documents are waiting, or this one took too long: the same request can succeed later. */
export class PdfUnavailable extends Schema.Error<PdfUnavailable>("PdfUnavailable")(
  refusal("PdfUnavailable", "pdf_unavailable"),
  { httpApiStatus: 503 }
) {
  static of() {
    return new PdfUnavailable({ message: "The PDF could not be made in time. Try again later." })
  }
}
