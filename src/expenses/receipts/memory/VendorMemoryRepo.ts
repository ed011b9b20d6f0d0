import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import { ExpenseFacts } from "../../Expense.ts"
import { ExtractedFields } from "../records/Extraction.ts"
import { ReadingTrace } from "../records/ReadingTrace.ts"

const expenses_max = 20

const Found = Schema.Struct({
  ...Struct.pick(ExpenseFacts.fields, ["id", "vendor", "category", "amount", "currency", "tax_rates"]),
  is_part: Schema.Boolean,
  proposed: ExtractedFields,
  trace: ReadingTrace
})

/** Finds what earlier receipts and expenses show about a vendor. Drafts and rejected expenses do not count. */
export class VendorMemoryRepo extends Context.Service<VendorMemoryRepo>()(
  "invoicing/expenses/receipts/memory/VendorMemoryRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const earlier = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, keys: Schema.Array(Schema.String) }),
        Result: Found,
        execute: ({ keys, organization_id }) => sql`
          select e.id, e.vendor, e.category, e.amount, e.currency, e.tax_rates, r.result->'fields' as proposed, r.trace,
            exists (select from expenses o where o.organization_id = e.organization_id
              and o.receipt_path = e.receipt_path and o.id <> e.id and o.deleted_at is null
              and o.status <> 'rejected') as is_part
          from receipts r
            join expenses e on e.organization_id = r.organization_id and e.receipt_path = r.receipt_path
          where r.organization_id = ${organization_id} and r.trace->'vendor_keys' ?| ${keys}::text[]
            and e.deleted_at is null and e.status not in ('draft', 'rejected')
          order by e.id desc limit ${expenses_max}`
      })

      return traced("VendorMemoryRepo", { earlier })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
