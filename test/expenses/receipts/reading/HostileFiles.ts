import sharp from "sharp"
import { crc32, deflateSync } from "node:zlib"
import * as Heics from "../../../support/files/HostileHeics.ts"
import { receiptHeic } from "../../../support/files/PrintedReceipt.ts"
import * as Pdfs from "../../../support/files/HostilePdfs.ts"

/** A file with its accepted outcomes: error codes, or `read` if its words can be read nevertheless. */
export interface HostileFile {
  readonly name: string
  readonly bytes: () => Uint8Array | string | Promise<Uint8Array | string>
  readonly outcomes: ReadonlyArray<string>
}

const file = (name: string, bytes: HostileFile["bytes"], ...outcomes: ReadonlyArray<string>): HostileFile => ({
  name,
  bytes,
  outcomes
})

export const hostileFiles = (receipt: Buffer): ReadonlyArray<HostileFile> => [
  ...noPictures(receipt),
  ...damaged(receipt),
  ...oversized(),
  ...heics(receipt),
  ...pdfs(receipt)
]

const noPictures = (receipt: Buffer): ReadonlyArray<HostileFile> => [
  file("nothing", () => "", "unsupported_format"),
  file("one byte", () => "%", "unsupported_format"),
  file("noise", () => noise(64_000), "unsupported_format"),
  file("text", () => "TOTAL EUR 25,26\n", "unsupported_format"),
  file("a web page", () => "<!DOCTYPE html><script>alert(1)</script>", "unsupported_format"),
  file("SVG", () => svg("<text x='5' y='50'>TOTAL EUR 25,26</text>"), "unsupported_format"),
  file("SVG that reads a file", () => svg("<image href='file:///etc/passwd'/>"), "unsupported_format"),
  file("GIF", () => sharp(receipt).resize(300).gif().toBuffer(), "unsupported_format"),
  file("BMP", () => Buffer.concat([Buffer.from("BM"), noise(4_000)]), "unsupported_format"),
  file("ZIP", () => Buffer.concat([Buffer.from("PK\x03\x04"), noise(4_000)]), "unsupported_format"),
  file("AVIF", () => heif("avif"), "unsupported_format"),
  file("AVIF that calls itself HEIF", () => heif("mif1", "avif"), "unsupported_format"),
  file("a script before a JPEG", () => Buffer.concat([Buffer.from("#!/bin/sh\n"), receipt]), "unsupported_format"),
  file("a ZIP behind a JPEG", () => Buffer.concat([receipt, Buffer.from("PK\x03\x04"), noise(4_000)]), "read"),
  file("a PDF behind a JPEG", () => Buffer.concat([receipt, Pdfs.scriptPdf()]), "read"),
  file("a web page that calls itself a PDF", () => "%PDF-1.7\n<script>alert(1)</script>", "corrupt_file"),
  file("a JPEG that calls itself a PDF", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), receipt]), "corrupt_file")
]

const damaged = (receipt: Buffer): ReadonlyArray<HostileFile> => [
  file("the start of a JPEG", () => receipt.subarray(0, 3), "corrupt_file"),
  file("a JPEG cut off", () => receipt.subarray(0, receipt.length / 2), "corrupt_file"),
  file("a JPEG with flipped bits", () => flipped(receipt, 200), "corrupt_file", "read", "unreadable", "no_amount"),
  file("a PNG cut off", async () => (await sharp(receipt).png().toBuffer()).subarray(0, 20_000), "corrupt_file"),
  file("a PNG with wrong sums", async () => flipped(await sharp(receipt).png().toBuffer(), 50), "corrupt_file"),
  file("a WebP cut off", async () => (await sharp(receipt).webp().toBuffer()).subarray(0, 5_000), "corrupt_file"),
  file("a TIFF of noise", () => Buffer.concat([Buffer.from("II*\0"), noise(10_000)]), "corrupt_file"),
  file("a TIFF whose pages go round in a circle", circularTiff, "corrupt_file", "unreadable"),
  file("a JPEG turned no known way", () => withOrientation(receipt, 99), "read"),
  file("a JPEG with a megabyte of remarks", () => withSegments(receipt, 16), "read"),
  file("a JPEG for printers", () => sharp(receipt).toColourspace("cmyk").jpeg().toBuffer(), "read"),
  file("a PNG of 16 bits that can be seen through", deepPng(receipt), "read")
]

const oversized = (): ReadonlyArray<HostileFile> => [
  file("a PNG of 256 megapixels", () => png(16_000, 16_000), "too_many_pixels"),
  file("a PNG that says it has 4 gigapixels", () => png(65_500, 65_500, Buffer.alloc(10)), "too_many_pixels"),
  file("an empty PNG of 49 megapixels", () => png(7_000, 7_000), "unreadable"),
  file("a PNG of one pixel", () => png(1, 1), "unreadable"),
  file("a PNG of one row", () => png(30_000, 1), "unreadable"),
  file("a PNG of one column", () => png(1, 30_000), "unreadable"),
  file("a PNG with 300 MB of text", () => withText(png(10, 10), 300_000_000), "unreadable", "corrupt_file"),
  file("noise of 6 megapixels", () => sharp(noise(6_000_000), raw(3_000, 2_000)).png().toBuffer(), "unreadable"),
  file("a TIFF of 300 pages", () => longTiff(300), "unreadable")
]

const heics = (receipt: Buffer): ReadonlyArray<HostileFile> => [
  file("noise that calls itself HEIC", () => heif("heic"), "corrupt_file"),
  file("noise that calls itself HEIF", () => heif("mif1", "heic"), "corrupt_file"),
  file("an AVIF that calls itself HEIC", () => Heics.avifHeic(receipt), "corrupt_file"),
  file("the start of a HEIC", Heics.headlessHeic, "corrupt_file"),
  file("a HEIC cut off", Heics.cutHeic, "corrupt_file"),
  file("a HEIC with flipped bits", () => flipped(receiptHeic, 200), "corrupt_file", "read", "unreadable", "no_amount"),
  file("a HEIC that says it has no pixels", Heics.emptyHeic, "corrupt_file"),
  file("a HEIC that says it has one pixel", Heics.tooSmallHeic, "corrupt_file"),
  file("a HEIC that says it is larger than it is", Heics.tooLargeHeic, "corrupt_file"),
  file("a HEIC that says it has 4 gigapixels", Heics.gigapixelHeic, "too_many_pixels"),
  file("a HEIC of 40,000 pictures", Heics.manyItemsHeic, "corrupt_file"),
  file("a HEIC of 900 pictures, most of them hidden", Heics.hiddenTilesHeic, "read", "unreadable", "timed_out")
]

const pdfs = (receipt: Buffer): ReadonlyArray<HostileFile> => [
  file("the start of a PDF", () => "%PDF-1.7", "corrupt_file"),
  file("a PDF of noise", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), noise(100_000)]), "corrupt_file"),
  file("a PDF cut off", () => Pdfs.longPdf(10).subarray(0, 900), "read", "corrupt_file", "no_pages", "unreadable"),
  file("a PDF with a script", Pdfs.scriptPdf, "read"),
  file("a PDF with a password", Pdfs.encryptedPdf, "password_protected"),
  file("a PDF of 1,000 pages", () => Pdfs.longPdf(1_000), "read"),
  file("a PDF with a page of 14 km", Pdfs.hugePagePdf, "unreadable"),
  file("a PDF without pages", Pdfs.noPagesPdf, "no_pages", "corrupt_file"),
  file("a PDF whose pages hold themselves", Pdfs.pageLoopPdf, "no_pages", "corrupt_file", "unreadable"),
  file("a PDF whose tables go round in a circle", Pdfs.tableLoopPdf, "read", "corrupt_file"),
  file("a PDF of 200,000 brackets", Pdfs.nestedPdf, "no_pages", "corrupt_file", "unreadable"),
  file("a PDF that draws itself", Pdfs.formLoopPdf, "unreadable"),
  file("a PDF with a picture of 3.6 gigapixels", Pdfs.hugeImagePdf, "unreadable"),
  file("a PDF with 200 MB attached", Pdfs.attachmentBombPdf, "read", "unreadable"),
  file("a PDF with a billion laughs attached", Pdfs.entityBombPdf, "invalid_xml"),
  file("a PDF that unpacks to 256 MB", Pdfs.flateBombPdf, "unreadable", "timed_out"),
  file("a PDF that unpacks twice to 1 GB", Pdfs.doubleFlateBombPdf, "unreadable", "timed_out"),
  file("a PDF of 3 million lines", Pdfs.pathBombPdf, "unreadable", "timed_out"),
  file("a PDF behind a PNG", async () => Buffer.concat([png(1, 1), Pdfs.scriptPdf(), receipt]), "unreadable")
]

/** Noise that is the same in every run (xorshift). */
const noise = (length: number): Buffer => {
  let state = 0x2545f491
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return state & 0xff
    })
  )
}

const raw = (width: number, height: number) => ({ raw: { width, height, channels: 1 as const } })

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">${content}</svg>`

const heif = (brand: string, compatible = brand) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0mif1${compatible}`), noise(4_000)])

/** Flips a bit at regular distances after the header. */
const flipped = (bytes: Buffer, distance: number): Buffer =>
  Buffer.from(bytes.map((byte, at) => (at > 1_000 && at % distance === 0 ? byte ^ 0x10 : byte)))

const chunk = (type: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content])
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(content.length, 0)
  body.copy(result, 4)
  result.writeUInt32BE(crc32(body), body.length + 4)
  return result
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")

const png = (width: number, height: number, content?: Buffer): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const stride = Math.ceil(width / 8) + 1
  const rows = content ?? Buffer.alloc(stride * height, 0xff)
  for (let at = 0; at < rows.length; at += stride) rows[at] = 0
  const data = chunk("IDAT", deflateSync(rows, { level: 9 }))
  return Buffer.concat([signature, chunk("IHDR", head), data, chunk("IEND", Buffer.alloc(0))])
}

const withText = (image: Buffer, length: number): Buffer => {
  const text = Buffer.concat([Buffer.from("Comment\0\0", "latin1"), deflateSync(Buffer.alloc(length), { level: 1 })])
  return Buffer.concat([image.subarray(0, 33), chunk("zTXt", text), image.subarray(33)])
}

const deepPng = (receipt: Buffer) => () => sharp(receipt).ensureAlpha(0.9).toColourspace("rgb16").png().toBuffer()

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

const withSegments = (jpeg: Buffer, count: number): Buffer =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    ...Array.from({ length: count }, () => segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), noise(65_000)]))),
    jpeg.subarray(2)
  ])

const withOrientation = (jpeg: Buffer, orientation: number): Buffer => {
  const tiff = Buffer.from("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0", "latin1")
  tiff.writeUInt16LE(orientation, 18)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff])),
    jpeg.subarray(2)
  ])
}

const longTiff = (pages: number) =>
  sharp(noise(64 * 64 * pages), { raw: { width: 64, height: 64 * pages, channels: 1, pageHeight: 64 } })
    .tiff()
    .toBuffer()

/** One grey pixel, whose TIFF directory refers to itself as the next page. */
const circularTiff = (): Buffer => {
  const entries = [
    [256, 3, 1, 1],
    [257, 3, 1, 1],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 4],
    [278, 3, 1, 1],
    [279, 4, 1, 1]
  ]
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  directory.write("II*\0", 0, "latin1")
  directory.writeUInt32LE(8, 4)
  directory.writeUInt16LE(entries.length, 8)
  entries.forEach(([tag = 0, type = 0, count = 0, value = 0], at) => {
    directory.writeUInt16LE(tag, 10 + at * 12)
    directory.writeUInt16LE(type, 12 + at * 12)
    directory.writeUInt32LE(count, 14 + at * 12)
    directory.writeUInt32LE(value, 18 + at * 12)
  })
  directory.writeUInt32LE(8, directory.length - 4)
  return directory
}
