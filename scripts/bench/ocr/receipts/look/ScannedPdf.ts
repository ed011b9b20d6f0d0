import type { Grey } from "../print/Typeset.ts"

const points_per_inch = 72

/** A page with a picture and no text, like that of an office scanner (ISO 32000-1). */
export const scannedPdf = (
  jpeg: Uint8Array,
  { height, width }: Pick<Grey, "width" | "height">,
  dpi: number
): Uint8Array => {
  const [wide, high] = [width, height].map((pixels) => ((pixels * points_per_inch) / dpi).toFixed(2))
  const drawing = `q ${wide} 0 0 ${high} 0 0 cm /Im0 Do Q`
  const image = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from(
      `<< /Type /ScannedPage /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Resources << /XObject << /Im0 4 0 R >> >> /Contents 5 0 R >>`
    ),
    Buffer.concat([Buffer.from(`${image}\nstream\n`), jpeg, Buffer.from("\nendstream")]),
    Buffer.from(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`)
  ]
  const parts = [Buffer.from("%PDF-1.4\n")]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const offset = length
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")])
    parts.push(part)
    length += part.length
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}
