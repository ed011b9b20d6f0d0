type Format = "pdf" | "jpeg" | "png" | "webp" | "tiff" | "heif"

/** Brands of images compressed as HEVC, which is HEIC; `mif1` alone may also be AVIF. */
const heic_brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
const brand_bytes = 4
/** Maximum number of brands that are read; files name a handful. */
const brands_max = 12
/** Number of bytes that `formatOf` examines. */
const head_bytes = (brands_max + 2) * brand_bytes

/** Recognizes the format by the first bytes, whatever the file's name or its sender say. */
export const formatOf = (bytes: Uint8Array): Format | undefined => {
  const ascii = asciiOf(bytes.subarray(0, 12))
  if (ascii.startsWith("%PDF-")) return "pdf"
  if (ascii.startsWith("\xff\xd8\xff")) return "jpeg"
  if (ascii.startsWith("\x89PNG\r\n\x1a\n")) return "png"
  if (ascii.startsWith("RIFF") && ascii.endsWith("WEBP")) return "webp"
  if (ascii.startsWith("II*\0") || ascii.startsWith("MM\0*")) return "tiff"
  if (ascii.startsWith("ftyp", 4) && brandsOf(bytes).some((brand) => heic_brands.includes(brand))) return "heif"
  return undefined
}

/** ISO/IEC 14496-12, 4.3: the box's size, "ftyp", the major brand, its version, and the compatible brands. */
const brandsOf = (bytes: Uint8Array): ReadonlyArray<string> => {
  const size = Math.min(head_bytes, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  const words = Array.from({ length: size / brand_bytes }, (_, at) => at * brand_bytes)
  return words.flatMap((at) => (at === 8 || at >= 16 ? [asciiOf(bytes.subarray(at, at + brand_bytes))] : []))
}

const asciiOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
