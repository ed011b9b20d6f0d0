import sharp from "sharp"
import { receiptHeic } from "./PrintedReceipt.ts"

// ISO/IEC 14496-12 (boxes) and 23008-12 (HEIF): these files hold the receipt's picture in ways that no camera writes.

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const ascii = (text: string) => Buffer.from(text, "latin1")

const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat([ascii(type), ...content])
  return Buffer.concat([u32(body.length + 4), body])
}

/** Returns a box (a part of a HEIF file) of the valid file `receipt.heic`. */
const boxNamed = (type: string): Buffer => {
  const start = receiptHeic.indexOf(type) - 4
  return receiptHeic.subarray(start, start + receiptHeic.readUInt32BE(start))
}

const decoding = boxNamed("hvcC")
const coded = boxNamed("mdat").subarray(8)
/** Size of the coded picture, which lies on its side and has an even number of pixels. */
const [coded_width, coded_height] = [1204, 1516]

const size = (width: number, height: number) => box("ispe", u32(0), u32(width), u32(height))

interface Grid {
  readonly rows: number
  readonly columns: number
  readonly width: number
  readonly height: number
}

/**
 * Builds a picture that is composed of tiles (a grid). All tiles use the same bytes of the file. Item 1 is the grid.
 */
const gridHeic = ({ columns, height, rows, width }: Grid): Buffer => {
  const tiles = Array.from({ length: rows * columns }, (_, index) => index + 2)
  const layout = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(width), u32(height)])
  const information = (id: number, type: string) => box("infe", u32(0x02_00_00_00), u16(id), u16(0), ascii(`${type}\0`))
  const place = (id: number, method: number, start: number, length: number) =>
    Buffer.concat([u16(id), u16(method), u16(0), u16(1), u32(start), u32(length)])
  const head = box("ftyp", ascii("heic\0\0\0\0mif1heic"))
  const meta = (coded_start: number) =>
    box(
      "meta",
      u32(0),
      box("hdlr", u32(0), u32(0), ascii("pict"), Buffer.alloc(13)),
      box("pitm", u32(0), u16(1)),
      box(
        "iloc",
        u32(0x01_00_00_00),
        Buffer.from([0x44, 0]),
        u16(tiles.length + 1),
        place(1, 1, 0, layout.length),
        ...tiles.map((id) => place(id, 0, coded_start, coded.length))
      ),
      box("iinf", u32(0), u16(tiles.length + 1), information(1, "grid"), ...tiles.map((id) => information(id, "hvc1"))),
      box("iref", u32(0), box("dimg", u16(1), u16(tiles.length), ...tiles.map(u16))),
      box(
        "iprp",
        box("ipco", decoding, size(coded_width, coded_height), size(width, height)),
        box(
          "ipma",
          u32(0),
          u32(tiles.length + 1),
          Buffer.concat([u16(1), Buffer.from([1, 3])]),
          ...tiles.map((id) => Buffer.concat([u16(id), Buffer.from([2, 0x81, 2])]))
        )
      ),
      box("idat", layout)
    )
  return Buffer.concat([head, meta(head.length + meta(0).length + 8), box("mdat", coded)])
}

/** Replaces every size that the file `receipt.heic` states by this width and height. */
const resized = (width: number, height: number): Buffer => {
  const file = Buffer.from(receiptHeic)
  for (let at = file.indexOf("ispe"); at >= 0; at = file.indexOf("ispe", at + 4)) size(width, height).copy(file, at - 4)
  return file
}

export const gigapixelHeic = () => gridHeic({ rows: 1, columns: 1, width: 65_500, height: 65_500 })
export const megapixelHeic = () => gridHeic({ rows: 5, columns: 5, width: 6_000, height: 7_500 })
/** The picture has 49 megapixels, but 1,643 megapixels are decoded for it. */
export const hiddenTilesHeic = () => gridHeic({ rows: 30, columns: 30, width: 7_000, height: 7_000 })
export const manyItemsHeic = () => gridHeic({ rows: 200, columns: 200, width: 7_000, height: 7_000 })
export const tooSmallHeic = () => resized(1, 1)
export const tooLargeHeic = () => resized(7_000, 7_000)
export const emptyHeic = () => resized(0, 0)
export const cutHeic = () => receiptHeic.subarray(0, receiptHeic.length / 2)
export const headlessHeic = () => receiptHeic.subarray(0, 200)

/** The file declares HEVC, but its picture is compressed with AV1. */
export const avifHeic = async (picture: Uint8Array): Promise<Buffer> => {
  const file = await sharp(picture).resize(200).avif({ effort: 0 }).toBuffer()
  file.write("heic", 8, "latin1")
  return file
}
