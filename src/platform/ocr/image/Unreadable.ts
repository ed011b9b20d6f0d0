/** Permanent reasons why a file cannot be read. */
type UnreadableCode =
  | "unsupported_format"
  | "corrupt_file"
  | "too_many_pixels"
  | "password_protected"
  | "no_pages"
  | "einvoice_too_large"

const sentences: Readonly<Record<UnreadableCode, string>> = {
  unsupported_format: "The file is not a JPEG, PNG, WebP, HEIC or TIFF image, a PDF or an electronic invoice in XML.",
  corrupt_file: "The file is damaged.",
  too_many_pixels: "The image has more than 50 megapixels; upload a smaller copy.",
  password_protected: "The PDF is protected by a password; upload a copy without one.",
  no_pages: "The PDF has no page that can be shown.",
  einvoice_too_large: "The electronic invoice in the PDF has more than 2 MB."
}

export class Unreadable extends Error {
  readonly code: UnreadableCode

  constructor(code: UnreadableCode, cause?: unknown) {
    super(sentences[code], { cause })
    this.code = code
  }
}
