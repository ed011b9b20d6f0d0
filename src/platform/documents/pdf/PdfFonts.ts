import { closeSync, openSync, readSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Font files (TrueType) of a family, the regular one first. Names and order match the templates (`frame.typ`). */
const families = [
  ["noto-sans/400Regular/NotoSans_400Regular", "noto-sans/600SemiBold/NotoSans_600SemiBold"],
  // Noto Sans Arabic draws dots separately, which doubles letters in copied text. So Vazirmatn comes first, and Noto is
  // used for rare letters only.
  ["vazirmatn/400Regular/Vazirmatn_400Regular", "vazirmatn/600SemiBold/Vazirmatn_600SemiBold"],
  ["noto-sans-arabic/400Regular/NotoSansArabic_400Regular", "noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold"],
  ["noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular", "noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold"],
  ["noto-sans-thai/400Regular/NotoSansThai_400Regular", "noto-sans-thai/600SemiBold/NotoSansThai_600SemiBold"],
  [
    "noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular",
    "noto-sans-devanagari/600SemiBold/NotoSansDevanagari_600SemiBold"
  ],
  ["noto-sans-jp/400Regular/NotoSansJP_400Regular", "noto-sans-jp/600SemiBold/NotoSansJP_600SemiBold"],
  ["noto-sans-sc/400Regular/NotoSansSC_400Regular", "noto-sans-sc/600SemiBold/NotoSansSC_600SemiBold"],
  ["nanum-gothic/400Regular/NanumGothic_400Regular", "nanum-gothic/700Bold/NanumGothic_700Bold"],
  ["noto-emoji/400Regular/NotoEmoji_400Regular", "noto-emoji/600SemiBold/NotoEmoji_600SemiBold"]
].map((files) => files.map((file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}.ttf`))))

export const fontPaths = families.flat()

/**
 * PDF/A forbids characters that have no glyph, and characters of the private use area. Both become U+FFFD, and control
 * characters are dropped. All characters of a grapheme must be in one font.
 */
export const printable = (text: string): string => {
  if (latin.test(text)) return text
  const plain = text
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", " ")
    .replace(unprintable, "")
  return Array.from(graphemes.segment(plain), ({ segment }) => (fitsOneFamily(segment) ? segment : "\uFFFD")).join("")
}

const latin = /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u024f]*$/
const unprintable = /(?!\n)[\p{Cc}\uFEFF]/gu
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
const mark_alone = /^[\p{M}\p{Grapheme_Extend}]/u
const ignorable = /^\p{Default_Ignorable_Code_Point}$/u

const fitsOneFamily = (grapheme: string): boolean => {
  // A combining mark without a base character would join the line break before it, which has no glyph.
  if (mark_alone.test(grapheme)) return false
  let common = every_family
  for (const character of grapheme) {
    if (!ignorable.test(character)) common &= coverage[character.codePointAt(0) ?? 0] ?? 0
  }
  return common !== 0
}

const every_family = 2 ** families.length - 1
const code_points = 0x110000

/** Bit `i` of element `c` is set if family `i` has a glyph for code point `c`. */
const coverage = new Uint16Array(code_points)
for (const [index, [file = ""]] of families.entries()) {
  markCharacters(cmapOf(file), 1 << index)
}
coverage[0x0a] = every_family
coverage.fill(0, 0xe000, 0xf900)
coverage.fill(0, 0xf0000)

/** Reads only the `cmap` table: nearly all of the 20 MB of these files are shapes, which would stay in memory. */
function cmapOf(file: string): Buffer {
  const font = openSync(file, "r")
  const read = (at: number, length: number) => {
    const bytes = Buffer.alloc(length)
    readSync(font, bytes, 0, length, at)
    return bytes
  }
  const records = read(12, read(4, 2).readUInt16BE() * 16)
  const at = records.indexOf("cmap", 0, "latin1")
  const cmap = read(records.readUInt32BE(at + 8), records.readUInt32BE(at + 12))
  closeSync(font)
  return cmap
}

/** Reads the `cmap` table (OpenType 1.9, 5.2): subtables of format 12 (any character) and 4 (the first 65,536). */
function markCharacters(cmap: Buffer, bit: number) {
  for (let encoding = 0; encoding < cmap.readUInt16BE(2); encoding++) {
    const subtable = cmap.subarray(cmap.readUInt32BE(8 + encoding * 8))
    const format = subtable.readUInt16BE(0)
    if (format === 12) markGroups(subtable, bit)
    if (format === 4) markSegments(subtable, bit)
  }
}

function markGroups(subtable: Buffer, bit: number) {
  for (let group = 0; group < subtable.readUInt32BE(12); group++) {
    const at = 16 + group * 12
    mark(subtable.readUInt32BE(at), subtable.readUInt32BE(at + 4), bit)
  }
}

function markSegments(subtable: Buffer, bit: number) {
  const width = subtable.readUInt16BE(6)
  for (let segment = 0; segment < width; segment += 2) {
    const last = subtable.readUInt16BE(14 + segment)
    const first = subtable.readUInt16BE(16 + width + segment)
    const delta = subtable.readUInt16BE(16 + width * 2 + segment)
    const range_at = 16 + width * 3 + segment
    const range = subtable.readUInt16BE(range_at)
    for (let code = first; code <= last; code++) {
      const glyph = range === 0 ? (code + delta) & 0xffff : subtable.readUInt16BE(range_at + range + (code - first) * 2)
      if (glyph !== 0) mark(code, code, bit)
    }
  }
}

function mark(first: number, last: number, bit: number) {
  for (let code = first; code <= last; code++) coverage[code] = (coverage[code] ?? 0) | bit
}
