import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { giveUpAbandoned } from "../../platform/jobs/Abandoned.ts"
import { batch_max, inBatches } from "../../platform/jobs/InBatches.ts"
import { JobStore } from "../../platform/jobs/JobStore.ts"
import { Database } from "../../platform/sql/Database.ts"
import { recordPruned } from "../../platform/sql/statements/Purge.ts"
import { BlobStore } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ReceiptProcessor } from "./reading/ReceiptProcessor.ts"
import { readingJobId, receiptQueues } from "./reading/ReceiptQueue.ts"
import { type ExpiringReceipt, ReceiptUpkeepRepo } from "./ReceiptUpkeepRepo.ts"

export class ReceiptUpkeep extends Context.Service<
  ReceiptUpkeep,
  {
    /** Marks a receipt as failed if its job no longer exists, e.g. because its last attempt was killed. */
    readonly endAbandoned: Effect.Effect<void>
    /** Removes expired receipts and the files of interrupted uploads; returns the number of removed files. */
    readonly purge: Effect.Effect<number, StorageUnavailable>
  }
>()("invoicing/expenses/receipts/ReceiptUpkeep") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptUpkeepRepo
      const ocr = yield* ReceiptProcessor
      const jobs = yield* JobStore
      const blobs = yield* BlobStore
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const endAbandoned = giveUpAbandoned(jobs, {
        queues: receiptQueues,
        jobIdOf: ({ reading_timeouts, receipt_ref }) => readingJobId(receipt_ref, reading_timeouts),
        read: repo.waiting,
        giveUp: ocr.giveUp
      }).pipe(Effect.withSpan("ReceiptUpkeep.endAbandoned"))

      const expire = Effect.fnUntraced(function* (receipt: ExpiringReceipt) {
        if (!(yield* repo.remove(receipt))) return
        const { organization_id, receipt_ref } = receipt
        yield* auditLog.append({ organization_id, actor: "system", action: "receipt.purged", data: { receipt_ref } })
      }, transaction)

      const discard = Effect.fnUntraced(function* (receipt: ExpiringReceipt) {
        yield* blobs.remove(receipt.object_key)
        yield* repo.forget(receipt)
      })

      const purgeSome = Effect.gen(function* () {
        yield* Effect.forEach(yield* repo.orphans({ limit: batch_max }), expire)
        const discarded = yield* repo.discarded({ limit: batch_max })
        yield* Effect.forEach(discarded, discard)
        yield* recordPruned("receipts", discarded.length)
        return discarded.length
      })
      const purge = inBatches(batch_max, purgeSome).pipe(Effect.withSpan("ReceiptUpkeep.purge"))

      return ReceiptUpkeep.of({ endAbandoned, purge })
    })
  ).pipe(Layer.provide([ReceiptUpkeepRepo.layer, JobStore.layer]))
}
