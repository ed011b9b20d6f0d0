import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { now } from "../../kernel/Calendar.ts"
import { BlobKey, BlobStore } from "../storage/BlobStore.ts"
import { Spool } from "../storage/Spool.ts"
import type { BackupEntry } from "./BackupFile.ts"
import { TransferRefused } from "./TransferRefused.ts"

/** Stores an object. If an object of this name exists, refuses the restore unless both have the same content. */
export const loadObject = Effect.fn("ObjectsLoad.load")(function* (name: string, { attributes, bytes }: BackupEntry) {
  const blobs = yield* BlobStore
  const spool = yield* Spool
  const key = BlobKey.make(name)
  const file = yield* spool.keep(bytes)
  const until = attributes["retain_until"]
  // A store refuses to lock an object until a time that has passed.
  const retain_until = until !== undefined && until > (yield* now) && (yield* blobs.locks) ? until : undefined
  yield* blobs.put(key, file, retain_until === undefined ? {} : { retain_until }).pipe(
    Effect.catchTag("BlobExists", () =>
      Effect.gen(function* () {
        const stored = yield* blobs.get(key)
        const hash = createHash("sha256")
        yield* Stream.runForEach(stored.bytes, (chunk) => Effect.sync(() => hash.update(chunk)))
        if (hash.digest("hex") !== file.sha256) {
          const message = `The storage has another object under ${key}: restore into an empty storage.`
          return yield* TransferRefused.of(message)
        }
        // A backup has an object once for each record about it, and the records may name different times.
        if (retain_until !== undefined) yield* blobs.retain(key, retain_until)
      })
    )
  )
}, Effect.scoped)
