import { xmlText } from "../documents/XmlBytes.ts"

type Format = "pdf" | "jpeg" | "png" | "webp" | "tiff" | "heif" | "xml" | "p7m"

/** Names of the root elements of electronic invoices: UBL, UN/CEFACT CII, ZUGFeRD 1 and FatturaPA. */
const einvoice_roots: ReadonlySet<string> = new Set([
  "Invoice",
  "CreditNote",
  "CrossIndustryInvoice",
  "CrossIndustryDocument",
  "FatturaElettronica"
])

/** HEIC images are compressed as HEVC. `mif1` is missing, because AVIF images have it, too. */
const heic_brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
const brand_bytes = 4
/** Maximum number of brands to read; real files have only a few. */
const brands_max = 12
/** Number of bytes that `brandsOf` examines. */
const head_bytes = (brands_max + 2) * brand_bytes

/** Recognizes the format by the first bytes, whatever the file's name or its sender says. */
export const formatOf = (bytes: Uint8Array): Format | undefined => {
  const ascii = asciiOf(bytes.subarray(0, 12))
  if (ascii.startsWith("%PDF-")) return "pdf"
  if (ascii.startsWith("\xff\xd8\xff")) return "jpeg"
  if (ascii.startsWith("\x89PNG\r\n\x1a\n")) return "png"
  if (ascii.startsWith("RIFF") && ascii.endsWith("WEBP")) return "webp"
  if (ascii.startsWith("II*\0") || ascii.startsWith("MM\0*")) return "tiff"
  if (ascii.startsWith("ftyp", 4) && brandsOf(bytes).some((brand) => heic_brands.includes(brand))) return "heif"
  if (isSigned(bytes)) return "p7m"
  return isEinvoice(xmlText(bytes)) ? "xml" : undefined
}

/** The type of signed data (1.2.840.113549.1.7.2, RFC 5652), with which the content of a signed file begins. */
const signed_data = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
/** A SEQUENCE, which begins a signed file. Its length takes one to five bytes. */
const sequence = "\x30"
const length_bytes_max = 5
const signed_head_bytes = 24

/** True for a file with an enveloping signature (CAdES), in BER or base64. */
const isSigned = (bytes: Uint8Array): boolean => {
  const head = asciiOf(bytes.subarray(0, signed_head_bytes))
  return beginsSigned(head) || beginsSigned(Buffer.from(head, "base64").toString("latin1"))
}

const beginsSigned = (head: string): boolean => {
  const place = head.indexOf(signed_data)
  return head.startsWith(sequence) && place > 1 && place <= length_bytes_max + 1
}

/** True for the text of an electronic invoice or credit note, even if it is damaged further on. */
export const isEinvoice = (xml: string): boolean => einvoice_roots.has(rootOf(xml) ?? "")

/** Matches a declaration, a processing instruction, a comment or white space before the root element. */
const prolog = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)/

/** Returns the name of the root element without its prefix; undefined if the text does not begin like XML. */
const rootOf = (xml: string): string | undefined => {
  let rest = xml.slice(0, xml_head_characters)
  for (let skipped = prolog.exec(rest); skipped !== null; skipped = prolog.exec(rest)) {
    rest = rest.slice(skipped[0].length)
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1]
}

/** The root element must begin within this number of characters. `Spool` keeps as many bytes of an upload. */
const xml_head_characters = 65_536

/** The first box (ISO/IEC 14496-12, 4.3) has its size, "ftyp", the major brand, its version, and compatible brands. */
const brandsOf = (bytes: Uint8Array): ReadonlyArray<string> => {
  const size = Math.min(head_bytes, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  const words = Array.from({ length: size / brand_bytes }, (_, at) => at * brand_bytes)
  return words.flatMap((at) => (at === 8 || at >= 16 ? [asciiOf(bytes.subarray(at, at + brand_bytes))] : []))
}

const asciiOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
