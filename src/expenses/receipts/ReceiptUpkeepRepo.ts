import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId, ReceiptRef } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { BlobKey } from "../../platform/storage/BlobStore.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Kept = Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef, object_key: BlobKey })
export type ExpiringReceipt = typeof Kept.Type

const Batch = Schema.Struct({ limit: Schema.Int })

/** Minimum age at which the reservation of an upload is removed with its file, longer than any upload stores its file. */
const interrupted_minutes_min = 60
/** Time from the end of retention to removal, longer than any transaction that links the receipt to an expense. */
const grace_minutes = 60
/** If a receipt is still unread at this age, `ReceiptUpkeep` checks whether its job exists. */
const waiting_minutes = 5

/** SQL statements of scheduled work, which concern the receipts of all organizations. */
export class ReceiptUpkeepRepo extends Context.Service<ReceiptUpkeepRepo>()(
  "invoicing/expenses/receipts/ReceiptUpkeepRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { receiptRetentionDays: retention_days } = yield* AppConfig

      const isOrphan = sql`
        r.status in ('done', 'needs_review', 'failed')
        and r.unused_since < now() - make_interval(days => ${retention_days}, mins => ${grace_minutes})`

      const orphans = SqlSchema.findAll({
        Request: Batch,
        Result: Kept,
        execute: ({ limit }) => sql`
          select r.organization_id, r.receipt_ref::text, r.object_key from receipts r where ${isOrphan}
          order by r.unused_since limit ${limit}`
      })

      /** Removes a receipt. Returns false if an expense now refers to it, or if another process has removed it. */
      const remove = Effect.fn("ReceiptUpkeepRepo.remove")(function* ({
        organization_id,
        receipt_ref
      }: ExpiringReceipt) {
        const rows = yield* sql`
          update receipts r set status = 'removed', idempotency_key = null
          where r.organization_id = ${organization_id} and r.receipt_ref = ${receipt_ref}::uuid and ${isOrphan}
          returning r.id`
        return rows.length === 1
      }, Effect.orDie)

      /** Finds receipts that no caller can see: removed ones, and those that an interrupted upload left. */
      const discarded = SqlSchema.findAll({
        Request: Batch,
        Result: Kept,
        execute: ({ limit }) => sql`
          select r.organization_id, r.receipt_ref::text, r.object_key from receipts r
          where r.status = 'removed' or (r.status = 'reserved'
            and r.created_at < now() - make_interval(mins => ${interrupted_minutes_min}))
          order by r.created_at limit ${limit}`
      })

      const forget = Effect.fn("ReceiptUpkeepRepo.forget")(function* ({
        organization_id,
        receipt_ref
      }: ExpiringReceipt) {
        yield* sql`
          delete from receipts
          where organization_id = ${organization_id} and receipt_ref = ${receipt_ref}::uuid
            and status in ('reserved', 'removed')`
      }, Effect.orDie)

      /** Finds receipts that have waited a while for their reading, in the order of their ids, after the id `after`. */
      const waiting = SqlSchema.findAll({
        Request: Schema.Struct({ after: Schema.Int, limit: Schema.Int }),
        Result: Schema.Struct({
          id: Schema.Int,
          organization_id: OrganizationId,
          receipt_ref: ReceiptRef,
          reading_timeouts: Schema.Int
        }),
        execute: ({ after, limit }) => sql`
          select r.id, r.organization_id, r.receipt_ref::text, r.reading_timeouts from receipts r
          where r.status = 'processing' and r.id > ${after}
            and r.created_at < now() - make_interval(mins => ${waiting_minutes})
          order by r.id limit ${limit}`
      })

      return {
        ...traced("ReceiptUpkeepRepo", { orphans, discarded, waiting }),
        remove,
        forget
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
