import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

export class StorageQuotaRepo extends Context.Service<StorageQuotaRepo>()(
  "invoicing/organizations/storage/StorageQuotaRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Processes of the version before 2026-11-30 lock receipts under this name, and may run beside this one.
      const lock = SqlSchema.void({
        Request: OrganizationId,
        execute: (id) => sql`select pg_advisory_xact_lock(hashtextextended(${`receipts of ${id}`}, 0))`
      })

      const measure = SqlSchema.findOne({
        Request: OrganizationId,
        Result: Schema.Struct({ stored_bytes: Schema.Int }),
        execute: (id) => sql`
          select coalesce(sum(file_size), 0)::bigint as stored_bytes from stored_files where organization_id = ${id}`
      })

      return traced("StorageQuotaRepo", { lock, measure })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
