import { Effect, Stream } from "effect"
import { Zip } from "effect/encoding"
import { crc32, deflateRawSync } from "node:zlib"

export const pdf = Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==",
  "base64"
)
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0])
export const gif = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64")
export const text = Buffer.from("date;amount\n2026-03-01;100,00\nété\n")

const openXml = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation"
} as const

export const contentTypes = (kind: keyof typeof openXml) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  `<Override PartName="/main.xml" ContentType="${openXml[kind]}.main+xml"/></Types>`

/** A ZIP archive written by the product's own library; `rawZip` writes archives without that library. */
export const zip = async (entries: Record<string, string | Uint8Array>): Promise<Buffer> => {
  const chunks = await Effect.runPromise(
    Stream.fromIterable(Object.entries(entries)).pipe(
      Stream.map(([path, content]) => Zip.file(path, content)),
      Stream.pipeThroughChannel(Zip.encode()),
      Stream.runCollect
    )
  )
  return Buffer.concat(chunks)
}

export const officeFile = (kind: keyof typeof openXml) =>
  rawZip([
    { name: "[Content_Types].xml", content: Buffer.from(contentTypes(kind)) },
    { name: "main.xml", content: Buffer.from("<main/>".repeat(100)) }
  ])

interface RawEntry {
  readonly name: string
  readonly content: Uint8Array
  /** Values that replace the correct ones in the headers. */
  readonly size?: number
  readonly crc?: number
  readonly method?: number
  readonly flags?: number
  /** Bytes that the archive contains instead of the deflated content. */
  readonly packed?: Uint8Array
}

/** A ZIP archive written byte by byte (APPNOTE 4.3), so that its headers can be wrong. */
export const rawZip = (entries: ReadonlyArray<RawEntry>): Buffer => {
  const locals: Array<Buffer> = []
  const central: Array<Buffer> = []
  let offset = 0
  for (const { content, crc, flags = 0, method = 8, name, packed, size } of entries) {
    const data = packed ?? (method === 8 ? deflateRawSync(content) : content)
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc ?? crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size ?? content.length, 18)
    common.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, title, data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), common, tail, title]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", "latin1")
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

export const docx = officeFile("docx")

/** A compound file whose only directory entry has this name and lies in the third sector. */
export const compound = (stream: string): Buffer => {
  const file = Buffer.alloc(512 * 4)
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file)
  const name = Buffer.from(`${stream}\0`, "utf16le")
  name.copy(file, 1024 + 128)
  file.writeUInt16LE(name.length, 1024 + 128 + 64)
  return file
}

export const kind: RawEntry = { name: "[Content_Types].xml", content: Buffer.from(contentTypes("docx")) }
export const part = (changes: Partial<RawEntry> = {}): RawEntry => ({
  name: "main.xml",
  content: Buffer.from("<main/>"),
  ...changes
})
export const padded = (bytes: Buffer, size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length, 0x20)])

/** An archive that unpacks to `size` bytes, a thousand times its own length. */
export const bomb = (size: number, changes: Partial<RawEntry> = {}) => {
  const content = Buffer.alloc(size)
  return rawZip([kind, part({ name: "word/document.xml", content, packed: deflateRawSync(content), ...changes })])
}
