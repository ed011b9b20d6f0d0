import { DateTime, Stream } from "effect"
import { Zip } from "effect/encoding"

export interface ZipEntry<E> {
  readonly path: string
  /** The time in RFC 3339. */
  readonly modified_at: string
  readonly content: Uint8Array | Stream.Stream<Uint8Array, E>
}

/**
 * Writes a ZIP of any size (ZIP64 where needed). Each stream is read when the turn of its entry comes. Streams are
 * compressed, because some readers do not find the end of an uncompressed stream.
 */
export const zipped = <E>(entries: Stream.Stream<ZipEntry<E>, E>): Stream.Stream<Uint8Array, E> =>
  entries.pipe(
    Stream.map(({ content, modified_at, path }) => {
      const options = { mtime: DateTime.toDateUtc(DateTime.makeUnsafe(modified_at)) }
      return content instanceof Uint8Array
        ? Zip.file(path, content, { ...options, method: "Store" })
        : Zip.fileStream(path, content, options)
    }),
    Stream.pipeThroughChannel(Zip.encode()),
    // An entry that does not fit into the ZIP format is a bug of the caller.
    Stream.catchIf(Zip.isZipError, Stream.die)
  )
