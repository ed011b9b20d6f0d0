import { Effect } from "effect"
import { BlobStore } from "../../../platform/storage/BlobStore.ts"
import { AttachmentsRepo } from "./AttachmentsRepo.ts"

const batch_max = 100
/** Of one run; the next one goes on. */
const batches_max = 100
/** Longer than any upload takes. */
const pending_minutes = 60

/**
 * Takes out of the storage what a crash left there, and the files of deleted drafts. Removing twice does no harm, so
 * several processes may sweep at once.
 */
export const sweepAttachments = Effect.fn("sweepAttachments")(function* () {
  const repo = yield* AttachmentsRepo
  const blobs = yield* BlobStore
  let swept = 0
  for (let batch = 0; batch < batches_max; batch++) {
    const keys = yield* repo.abandoned({ limit: batch_max, pending_minutes })
    for (const { object_key } of keys) {
      yield* blobs.remove(object_key)
      yield* repo.forget(object_key)
    }
    swept += keys.length
    if (keys.length < batch_max) return swept
  }
  return swept
}, Effect.provide(AttachmentsRepo.layer))
