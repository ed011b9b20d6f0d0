import type { formatOf } from "../../platform/ocr/Format.ts"

type Format = NonNullable<ReturnType<typeof formatOf>>

/** Supported formats; a stored receipt has the extension of its content's format. */
export const receiptTypes: Readonly<Record<Format, { readonly mime_type: string; readonly extension: string }>> = {
  pdf: { mime_type: "application/pdf", extension: "pdf" },
  jpeg: { mime_type: "image/jpeg", extension: "jpg" },
  png: { mime_type: "image/png", extension: "png" },
  webp: { mime_type: "image/webp", extension: "webp" },
  heif: { mime_type: "image/heic", extension: "heic" },
  tiff: { mime_type: "image/tiff", extension: "tiff" },
  xml: { mime_type: "application/xml", extension: "xml" },
  p7m: { mime_type: "application/pkcs7-mime", extension: "p7m" }
}
