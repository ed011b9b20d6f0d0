import { Context, Effect, Layer } from "effect"
import { Journal } from "../../platform/events/Journal.ts"
import { batch_max, inBatches } from "../../platform/jobs/Batches.ts"
import { JobStore } from "../../platform/jobs/JobStore.ts"
import { Database } from "../../platform/sql/Database.ts"
import { BlobStore } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ReceiptOcr } from "./reading/ReceiptOcr.ts"
import { ReceiptOcrQueue } from "./reading/ReceiptOcrQueue.ts"
import { type StoredReceipt, ReceiptUpkeepRepo } from "./ReceiptUpkeepRepo.ts"

/** Maintains the receipts of all organizations. */
export class ReceiptUpkeep extends Context.Service<
  ReceiptUpkeep,
  {
    /** Fails receipts whose job is gone, e.g. because the process was killed in the last attempt. */
    readonly endAbandoned: Effect.Effect<void>
    /** Removes expired receipts and the files of interrupted uploads; answers the number of removed files. */
    readonly purge: Effect.Effect<number, StorageUnavailable>
  }
>()("invoicing/expenses/receipts/ReceiptUpkeep") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptUpkeepRepo
      const ocr = yield* ReceiptOcr
      const jobs = yield* JobStore
      const blobs = yield* BlobStore
      const journal = yield* Journal
      const { transaction } = yield* Database

      const endAbandoned = jobs
        .endAbandoned({
          job: ReceiptOcrQueue,
          jobIdOf: ({ receipt_ref }) => receipt_ref,
          read: repo.waiting,
          giveUp: ocr.giveUp
        })
        .pipe(Effect.withSpan("ReceiptUpkeep.endAbandoned"))

      const expire = Effect.fnUntraced(function* (receipt: StoredReceipt) {
        if (!(yield* repo.remove(receipt))) return
        const { organization_id, receipt_ref } = receipt
        yield* journal.append({ organization_id, actor: "system", action: "receipt.purged", data: { receipt_ref } })
      }, transaction)

      const discard = Effect.fnUntraced(function* (receipt: StoredReceipt) {
        yield* blobs.remove(receipt.object_key)
        yield* repo.forget(receipt)
      })

      const purgeSome = Effect.gen(function* () {
        yield* Effect.forEach(yield* repo.orphans({ limit: batch_max }), expire)
        const discarded = yield* repo.discarded({ limit: batch_max })
        yield* Effect.forEach(discarded, discard)
        return discarded.length
      })
      const purge = inBatches(batch_max, purgeSome).pipe(Effect.withSpan("ReceiptUpkeep.purge"))

      return ReceiptUpkeep.of({ endAbandoned, purge })
    })
  ).pipe(Layer.provide([ReceiptUpkeepRepo.layer, JobStore.layer]))
}
