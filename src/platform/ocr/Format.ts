type Format = "pdf" | "jpeg" | "png" | "webp" | "tiff" | "heif"

const heif_brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif"]

/** What the first bytes say a file is, whatever its name or its sender say. */
export const formatOf = (bytes: Uint8Array): Format | undefined => {
  const ascii = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join("")
  if (ascii.startsWith("%PDF-")) return "pdf"
  if (ascii.startsWith("\xff\xd8\xff")) return "jpeg"
  if (ascii.startsWith("\x89PNG\r\n\x1a\n")) return "png"
  if (ascii.startsWith("RIFF") && ascii.endsWith("WEBP")) return "webp"
  if (ascii.startsWith("II*\0") || ascii.startsWith("MM\0*")) return "tiff"
  if (ascii.startsWith("ftyp", 4) && heif_brands.includes(ascii.slice(8))) return "heif"
  return undefined
}
