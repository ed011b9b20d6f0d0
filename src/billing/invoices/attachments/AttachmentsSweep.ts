import { Effect } from "effect"
import { batch_max, inBatches } from "../../../platform/jobs/InBatches.ts"
import { timed } from "../../../platform/jobs/Timed.ts"
import { BlobStore } from "../../../platform/storage/BlobStore.ts"
import { AttachmentsRepo } from "./AttachmentsRepo.ts"

/** Age in minutes at which an unconfirmed upload counts as abandoned; no upload takes this long. */
const pending_minutes = 60

/** Removes files of crashed uploads, and of deleted attachments and drafts. Several processes may sweep at once. */
export const sweepAttachments = Effect.fn("sweepAttachments")(function* () {
  const repo = yield* AttachmentsRepo
  const blobs = yield* BlobStore
  yield* repo.abandon(pending_minutes)
  const sweep = Effect.gen(function* () {
    const keys = yield* repo.abandoned(batch_max)
    for (const { object_key } of keys) {
      yield* blobs.remove(object_key)
      yield* repo.forget(object_key)
    }
    return keys.length
  })
  return yield* inBatches(batch_max, sweep)
}, Effect.provide(AttachmentsRepo.layer))

export const AttachmentsSweepWorker = timed({
  name: "attachments.sweep",
  every: "10 minutes",
  run: Effect.suspend(sweepAttachments)
})
