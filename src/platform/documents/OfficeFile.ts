import { Data, Effect, FileSystem, Stream } from "effect"
import { Zip } from "effect/encoding"

const chunk_bytes = 64 * 1024
/** Limits against zip bombs: the unpacked size of all entries together, and their number. */
const unpacked_bytes_max = 150 * 1024 * 1024
const entries_max = 5000
/** Size limit in bytes of the entry that states the type of the document; real entries have a few KiB. */
const kind_bytes_max = 1024 * 1024

/** Name of the entry with the document's type, in Open Packaging (ECMA-376) and OpenDocument (ODF 1.2, part 3). */
const kindEntry = (mime_type: string) =>
  mime_type.startsWith("application/vnd.oasis.") ? "mimetype" : "[Content_Types].xml"

const saysKind = (content: string, mime_type: string): boolean =>
  mime_type.startsWith("application/vnd.oasis.") ? content === mime_type : content.includes(`${mime_type}.main+xml`)

class NotOffice extends Data.TaggedError("NotOffice") {}

/** Unpacks and checks every entry of a ZIP, because an archive may lie about its sizes. Uses little memory. */
export const isOfficeArchive = Effect.fn("isOfficeArchive")(function* (path: string, mime_type: string) {
  const files = yield* FileSystem.FileSystem
  let entries = 0
  let unpacked_bytes = 0
  let isKind = false
  const unpack = Effect.fnUntraced(function* <E>({ body, header }: Zip.Entry<E>) {
    if (++entries > entries_max) return yield* new NotOffice()
    const isKindEntry = header.path === kindEntry(mime_type)
    const kind: Array<Uint8Array> = []
    let bytes = 0
    yield* Stream.runForEach(body, (chunk) => {
      bytes += chunk.length
      unpacked_bytes += chunk.length
      const limit = isKindEntry ? kind_bytes_max : unpacked_bytes_max
      if (bytes > limit || unpacked_bytes > unpacked_bytes_max) return Effect.fail(new NotOffice())
      if (isKindEntry) kind.push(chunk)
      return Effect.void
    })
    if (isKindEntry) isKind = saysKind(Buffer.concat(kind).toString("utf8"), mime_type)
  })
  yield* files.stream(path, { chunkSize: chunk_bytes }).pipe(
    Stream.pipeThroughChannel(Zip.decode()),
    Stream.runForEach(unpack),
    Effect.catchIf(
      (error) => error instanceof NotOffice || Zip.isZipError(error),
      () => Effect.sync(() => (isKind = false))
    )
  )
  return isKind
})

const directory_entry_bytes = 128
const name_length_offset = 64

/**
 * Checks that a compound file ([MS-CFB]) has a stream of Word, Excel or PowerPoint, because an installer is also a
 * compound file. Directory entries are 128 bytes at multiples of 128, so sector chains can be ignored.
 */
export const isOfficeBinary = Effect.fn("isOfficeBinary")(function* (path: string, streams: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const names = streams.map((name) => Buffer.from(`${name}\0`, "utf16le"))
  const holds = (chunk: Uint8Array) => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let at = 0; at + directory_entry_bytes <= bytes.length; at += directory_entry_bytes) {
      const length = bytes.readUInt16LE(at + name_length_offset)
      if (names.some((name) => name.length === length && name.equals(bytes.subarray(at, at + length)))) return true
    }
    return false
  }
  return yield* files.stream(path, { chunkSize: chunk_bytes }).pipe(
    Stream.runFold(
      () => false,
      (found, chunk) => found || holds(chunk)
    )
  )
})
