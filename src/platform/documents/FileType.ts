import { Effect, FileSystem, Stream } from "effect"
import { isOfficeArchive, isOfficeBinary } from "./OfficeFile.ts"

const head_bytes = 1024
const chunk_bytes = 64 * 1024

const extensionOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ""

const startsWith = (head: Uint8Array, bytes: ReadonlyArray<number | null>, offset = 0): boolean =>
  bytes.every((byte, index) => byte === null || head[offset + index] === byte)

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0))

const pdf = (head: Uint8Array) => startsWith(head, ascii("%PDF-"))
const png = (head: Uint8Array) => startsWith(head, [0x89, ...ascii("PNG"), 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = (head: Uint8Array) => startsWith(head, [0xff, 0xd8, 0xff])
const gif = (head: Uint8Array) => startsWith(head, ascii("GIF87a")) || startsWith(head, ascii("GIF89a"))
const webp = (head: Uint8Array) => startsWith(head, ascii("RIFF")) && startsWith(head, ascii("WEBP"), 8)
const bmp = (head: Uint8Array) => startsWith(head, ascii("BM")) && startsWith(head, [0, 0, 0, 0], 6)
const tiff = (head: Uint8Array) =>
  startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])
const heif = (head: Uint8Array) =>
  startsWith(head, ascii("ftyp"), 4) &&
  ["heic", "heix", "heim", "heis", "mif1", "msf1", "avif"].some((brand) => startsWith(head, ascii(brand), 8))
const rtf = (head: Uint8Array) => startsWith(head, ascii("{\\rtf"))
const zip = (head: Uint8Array) => startsWith(head, [0x50, 0x4b, 0x03, 0x04])
const compound = (head: Uint8Array) => startsWith(head, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

/** Formats that are never text, whatever the extension of the file is. */
const binary = [pdf, png, jpeg, gif, webp, tiff, heif, rtf, zip, compound]

type Check = (path: string) => Effect.Effect<boolean, FileUnreadable, FileSystem.FileSystem>
type FileUnreadable = Effect.Error<ReturnType<typeof isOfficeArchive>>

interface FileType {
  readonly mime_type: string
  readonly begins: (head: Uint8Array) => boolean
  /** Further check of the content, where the first bytes are not enough. */
  readonly check?: Check
}

const image = (subtype: string, begins: FileType["begins"]): FileType => ({ mime_type: `image/${subtype}`, begins })
const archive = (mime_type: string): FileType => ({
  mime_type,
  begins: zip,
  check: (path) => isOfficeArchive(path, mime_type)
})
const office = (kind: string) => archive(`application/vnd.openxmlformats-officedocument.${kind}`)
const openDocument = (kind: string) => archive(`application/vnd.oasis.opendocument.${kind}`)
const legacy = (mime_type: string, ...streams: ReadonlyArray<string>): FileType => ({
  mime_type,
  begins: compound,
  check: (path) => isOfficeBinary(path, streams)
})

/** True for text: UTF-16 with a byte order mark, or any encoding that contains ASCII, without control characters. */
const isText: Check = (path) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const content = files.stream(path, { chunkSize: chunk_bytes })
    return yield* Stream.runFold(content, () => unread, isCleanText)
  }).pipe(Effect.map(({ clean }) => clean))

interface TextState {
  /** True for UTF-16; absent until the first bytes were read. */
  readonly wide?: boolean
  readonly clean: boolean
}

const unread: TextState = { clean: true }

const isCleanText = (state: TextState, chunk: Uint8Array): TextState => {
  const wide = state.wide ?? (startsWith(chunk, [0xff, 0xfe]) || startsWith(chunk, [0xfe, 0xff]))
  return { wide, clean: state.clean && (wide || !chunk.some(isControl)) }
}

const isControl = (byte: number) => (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a) || byte === 0x7f

const text = (subtype: string): FileType => ({
  mime_type: `text/${subtype}`,
  begins: (head) => !binary.some((begins) => begins(head)),
  check: isText
})

/** See rules/invoices.md, Attachments. SVG and documents with macros can run code, so they are not accepted. */
const types: Readonly<Record<string, FileType>> = {
  pdf: { mime_type: "application/pdf", begins: pdf },
  png: image("png", png),
  jpg: image("jpeg", jpeg),
  jpeg: image("jpeg", jpeg),
  gif: image("gif", gif),
  webp: image("webp", webp),
  bmp: image("bmp", bmp),
  tif: image("tiff", tiff),
  tiff: image("tiff", tiff),
  heic: image("heic", heif),
  heif: image("heif", heif),
  avif: image("avif", heif),
  docx: office("wordprocessingml.document"),
  xlsx: office("spreadsheetml.sheet"),
  pptx: office("presentationml.presentation"),
  odt: openDocument("text"),
  ods: openDocument("spreadsheet"),
  odp: openDocument("presentation"),
  doc: legacy("application/msword", "WordDocument"),
  xls: legacy("application/vnd.ms-excel", "Workbook", "Book"),
  ppt: legacy("application/vnd.ms-powerpoint", "PowerPoint Document"),
  rtf: { mime_type: "application/rtf", begins: rtf },
  csv: text("csv"),
  txt: text("plain")
}

export const file_extensions: ReadonlyArray<string> = Object.keys(types)

export const file_mime_types: ReadonlyArray<string> = [
  ...new Set(Object.values(types).map(({ mime_type }) => mime_type))
]

/** The usual extension of a media type, without the dot; undefined for a type that is not accepted. */
export const fileExtensionOf = (mime_type: string): string | undefined =>
  Object.keys(types).find((extension) => types[extension]?.mime_type === mime_type)

/** Types whose first bytes suffice, so that the name of such a file needs no extension. */
const evident = [types["pdf"], types["png"], types["jpg"], types["gif"], types["webp"], types["tiff"]]

/** Returns the media type of a file; undefined if the type is not accepted or does not match the extension. */
export const fileTypeOf = Effect.fn("fileTypeOf")(function* (path: string, name: string) {
  const extension = extensionOf(name)
  const isKnown = Object.hasOwn(types, extension)
  if (!isKnown && name.includes(".")) return undefined
  const files = yield* FileSystem.FileSystem
  const beginning = files.stream(path, { chunkSize: head_bytes, bytesToRead: head_bytes })
  const [head = new Uint8Array()] = yield* Stream.runCollect(beginning)
  const type = (isKnown ? [types[extension]] : evident).find((known) => known?.begins(head))
  if (type === undefined) return undefined
  if (type.check !== undefined && !(yield* type.check(path))) return undefined
  return type.mime_type
})
