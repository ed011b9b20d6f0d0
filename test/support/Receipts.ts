import { receiptFrom } from "../../scripts/bench/ocr/receipts/Receipts.ts"

/**
 * Small receipts with known truth, for whoever uploads, reads or extracts. Each is drawn when it is first asked for,
 * which takes about a second for a picture, and is the same on every machine.
 */
export const receipts = {
  /** A French restaurant bill on a table, JPEG. */
  photo: once(() => receiptFrom(1003, "restaurant", "photo")),
  /** A Swiss fuel receipt, PNG. */
  scan: once(() => receiptFrom(1005, "fuel", "scan")),
  /** A Swiss supermarket receipt with two tax rates. */
  textPdf: once(() => receiptFrom(1005, "supermarket", "text_pdf")),
  /** The same, as an office scanner makes it. */
  scannedPdf: once(() => receiptFrom(1005, "supermarket", "scanned_pdf")),
  /** An invoice with its data attached (Factur-X). */
  structuredPdf: once(() => receiptFrom(1004, "invoice", "structured_pdf"))
}

function once<A>(make: () => Promise<A>): () => Promise<A> {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}
