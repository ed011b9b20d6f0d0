import { Effect } from "effect"
import type { BlobKey, BlobMissing, BlobStore } from "./BlobStore.ts"
import { StorageUnavailable } from "./StorageUnavailable.ts"

interface StoredFile {
  readonly object_key: BlobKey
  readonly file_size: number
}

/**
 * Opens the file of a record. If the file is missing, `find` looks for the record again, which may have been removed
 * meanwhile. A file that is lost or has another size is answered as an outage, because only an operator can restore it.
 */
export const openStored = Effect.fnUntraced(function* <E, R>(
  blobs: BlobStore["Service"],
  name: string,
  { file_size, object_key }: StoredFile,
  find: Effect.Effect<unknown, E, R>
) {
  const unreadable = (error: BlobMissing | StorageUnavailable) =>
    Effect.andThen(Effect.logError(`${name} cannot be read`, error), Effect.fail(StorageUnavailable.of()))
  const { bytes, size } = yield* blobs.get(object_key).pipe(
    Effect.catchTags({
      BlobMissing: (missing) => Effect.andThen(find, unreadable(missing)),
      StorageUnavailable: unreadable
    })
  )
  if (size === file_size) return bytes
  yield* Effect.logError(`${name} has ${size} bytes in storage, not ${file_size}`)
  return yield* StorageUnavailable.of()
})
