const encoder = new TextEncoder()

/**
 * Changes the XMP metadata of a PDF by an incremental update (ISO 32000-1, 7.5.6): new metadata and a cross-reference
 * section are appended. Typst writes the metadata that PDF/A requires, but cannot add other properties. A file without
 * a cross-reference table, which Typst always writes, is a defect.
 */
export const withMetadata = (pdf: Uint8Array, change: (xmp: string) => string): Uint8Array => {
  // Each character of this text is one byte of the file, so positions in the text are positions in the file.
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString("latin1")
  const { number, xmp } = metadataIn(text)
  const trailer = partOf(text.slice(text.lastIndexOf("trailer\n")), /^trailer\n<<([^]*)>>\nstartxref\n(\d+)\n%%EOF\s*$/)
  const metadata = encoder.encode(change(xmp))
  const header = `${number} 0 obj\n<<\n  /Type /Metadata\n  /Subtype /XML\n  /Length ${metadata.length}\n>>\nstream\n`
  const object = Buffer.concat([encoder.encode(header), metadata, encoder.encode("\nendstream\nendobj\n")])
  const object_at = pdf.length + separator.length
  const entry = `${String(object_at).padStart(10, "0")} 00000 n \n`
  const previous = `  /Prev ${trailer[1]}\n`
  const update = `xref\n${number} 1\n${entry}trailer\n<<${trailer[0]}${previous}>>\n`
  const end = `startxref\n${object_at + object.length}\n%%EOF\n`
  return Buffer.concat([pdf, encoder.encode(separator), object, encoder.encode(update + end)])
}

const separator = "\n"

/** The last metadata stream is that of the document; those of pictures or files come before it. */
const metadataIn = (text: string) => {
  const at = text.lastIndexOf("/Type /Metadata")
  const begin = text.lastIndexOf(" 0 obj\n", at)
  const number = partOf(text.slice(0, begin), /(\d+)$/)[0]
  const object = text.slice(begin)
  const [bytes] = partOf(object, /^ 0 obj\n<<[^>]*>>\nstream\n([^]*?)\nendstream\n/)
  return { number, xmp: Buffer.from(bytes, "latin1").toString("utf8") }
}

const partOf = (text: string, pattern: RegExp): readonly [string, string] => {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`The PDF does not match ${pattern.source}.`)
  return [found[1] ?? "", found[2] ?? ""]
}
