import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"

const version_before = 64

layer(NodeServices.layer, { excludeTestServices: true })("0065_unused_receipts.sql", (it) => {
  it.effect("begins the retention of the receipts that no expense uses, and keeps up with expenses afterwards", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      const booked = (id: number, path: string | null, deleted: boolean) => sql`
        insert into expenses (id, organization_id, expense_date, category, amount, tax_rates, currency, description,
          is_vat_deductible, is_billable, status, receipt_path, search, created_at, updated_at, deleted_at)
        values (${id}, 1, '2026-03-01', 'meals', 10, '[]', 'EUR', '', false, false, 'pending', ${path}, '', now(), now(),
          ${deleted ? new Date() : null})`
      const uploaded = (path: string, expense_id: number | null) => sql`
        insert into receipts (organization_id, receipt_ref, receipt_path, status, file_name, file_size, mime_type,
          sha256, object_key, expense_id, created_at)
        values (1, gen_random_uuid(), ${path}, 'done', '', 1, '', '', ${path}, ${expense_id}, now() - interval '90 days')`
      const unused = sql<{ receipt_path: string }>`
        select receipt_path from receipts where unused_since = now() order by id`.pipe(
        Effect.map((rows) => rows.map(({ receipt_path }) => receipt_path))
      )
      yield* booked(1, "taken", false)
      yield* booked(2, "deleted", true)
      yield* booked(3, null, false)
      yield* uploaded("taken", null)
      yield* uploaded("deleted", null)
      yield* uploaded("named", 3)
      yield* uploaded("named by a deleted one", 2)
      yield* uploaded("free", null)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* migrate(migrations)
          assert.deepEqual(yield* unused, ["deleted", "named by a deleted one", "free"])
        })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* booked(4, "free", false)
          yield* sql`update expenses set receipt_path = null where id = 1`
          yield* sql`update expenses set deleted_at = now() where id = 3`
          assert.deepEqual(yield* unused, ["taken", "named"])
          const used = yield* sql`select receipt_path from receipts where unused_since is null`
          assert.deepEqual(used, [{ receipt_path: "free" }])
        })
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
