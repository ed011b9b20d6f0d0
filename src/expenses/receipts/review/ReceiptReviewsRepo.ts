import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest } from "../../../kernel/Envelope.ts"
import { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { type Listed, pagesOf } from "../../../platform/sql/statements/Page.ts"
import { BlobKey } from "../../../platform/storage/BlobStore.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import { Receipt, ReceiptResult } from "../records/Receipt.ts"
import { ReadingTrace } from "../records/ReadingTrace.ts"

const common = {
  receipt_ref: ReceiptRef,
  file_name: Schema.String,
  status: Schema.Literals(["processing", ...Receipt.fields.status.literals]),
  created_at: Timestamp
}

const Listing = Schema.Struct({
  ...common,
  vendor: Schema.NullOr(Schema.String),
  amount: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String)
})
export type ListedReceipt = typeof Listing.Type

const Found = Schema.Struct({
  ...common,
  ...Struct.pick(Receipt.fields, ["expense_id"]),
  object_key: BlobKey,
  result: Schema.NullOr(ReceiptResult),
  trace: Schema.NullOr(ReadingTrace),
  reading_timeouts: Schema.Int,
  /** Seconds since the last reading began; null before the first one. */
  reading_seconds: Schema.NullOr(Schema.Finite)
})
export type FoundReceipt = typeof Found.Type

export class ReceiptReviewsRepo extends Context.Service<ReceiptReviewsRepo>()(
  "invoicing/expenses/receipts/review/ReceiptReviewsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const isSeen = sql.literal("status not in ('reserved', 'removed')")
      const shown = sql.literal("receipt_ref::text, file_name, status, created_at")
      const pages = pagesOf(Listing.fields)

      const list = Effect.fn("ReceiptReviewsRepo.list")(function* (
        organization_id: OrganizationId,
        request: PageRequest
      ) {
        return yield* pages(
          request,
          (page) => sql<Listed>`
            select ${shown}, result->'fields'->>'vendor' as vendor, result->'fields'->>'amount' as amount,
              result->'fields'->>'currency' as currency, (count(*) over ())::integer as list_total
            from receipts where organization_id = ${organization_id} and ${isSeen}
            order by id desc limit ${limitOf(page)} offset ${offsetOf(page)}`
        )
      }, Effect.orDie)

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef }),
        Result: Found,
        execute: ({ organization_id, receipt_ref }) => sql`
          select ${shown}, expense_id, object_key, result, trace, reading_timeouts,
            extract(epoch from now() - reading_since)::float8 as reading_seconds
          from receipts
          where organization_id = ${organization_id} and receipt_ref = ${receipt_ref}::uuid and ${isSeen}`
      })

      return { list, ...traced("ReceiptReviewsRepo", { find }) }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
