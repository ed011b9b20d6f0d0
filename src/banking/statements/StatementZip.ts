import { Effect, Stream } from "effect"
import { Zip } from "effect/encoding"
import { InvalidStatement } from "../records/StatementErrors.ts"

/** Maximum number of files in a ZIP; enough for a year of daily statements. */
const files_max = 1_000
/** Maximum number of bytes of all files together, so that a ZIP bomb does not fill the memory. */
const bytes_max = 64 * 1024 * 1024

/** A ZIP begins with the signature of its first file. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04

/** Unpacks the files of a ZIP into memory; hidden files and folders are skipped. */
export const unzipped = Effect.fn("unzipped")(function* (bytes: Uint8Array) {
  let size = 0
  let count = 0
  const bounded = (chunk: Uint8Array) => {
    size += chunk.length
    return size > bytes_max
      ? InvalidStatement.of(`the files of the ZIP exceed ${bytes_max / 1024 / 1024} MiB`)
      : Effect.void
  }
  const unpack = Effect.fnUntraced(function* <E>({ body, header }: Zip.Entry<E>) {
    if (++count > files_max) return yield* InvalidStatement.of(`the ZIP holds more than ${files_max} files`)
    const chunks = yield* body.pipe(Stream.tap(bounded), Stream.runCollect)
    const isHidden = header.type !== "File" || /(^|\/)(\.|__MACOSX\/)/.test(header.path)
    return isHidden ? [] : [Buffer.concat(chunks)]
  })
  const files = yield* Stream.make(bytes).pipe(
    Stream.pipeThroughChannel(Zip.decode()),
    Stream.mapEffect(unpack),
    Stream.runCollect,
    Effect.catchIf(Zip.isZipError, () => InvalidStatement.of("the ZIP is damaged or encrypted"))
  )
  return files.flat()
})
