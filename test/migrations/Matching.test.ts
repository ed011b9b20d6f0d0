import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const organization = { country: "BE", currency: "EUR", timezone: "Europe/Brussels", language: "nl", search: "" }
const settings = (value: number) => JSON.stringify({ reconciliation_auto_threshold: value, pdf_format: "pdf" })

const stored = (type: string, score: number) => JSON.stringify({ type, id: 1, score, signals: [], difference: null })

layer(NodeServices.layer, { excludeTestServices: true })("0105_matching.sql", (it) => {
  it.effect("moves thresholds and scores to the scale on which 40 is 30 and 80 is 50", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0105")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into organizations ${sql.insert([
        { ...organization, name: "Usual", settings: "{}" },
        { ...organization, name: "Old usual", settings: settings(80) },
        { ...organization, name: "Low", settings: settings(40) },
        { ...organization, name: "High", settings: settings(100) }
      ])}`
      yield* sql`insert into bank_accounts (organization_id, name, currency) values (1, 'Current', 'EUR')`
      yield* sql`insert into bank_imports (organization_id, bank_account_id, file_sha256, summary, created_at)
        values (1, 1, 'x', '{}', now())`
      const line = { organization_id: 1, bank_account_id: 1, import_session_id: 1, position: 0, remittance_text: "" }
      const money = { booking_date: "2026-01-01", amount: 1, currency: "EUR", status: "suggested" }
      yield* sql`insert into bank_transactions ${sql.insert([
        { ...line, ...money, line_key: "a", suggestion: stored("invoice", 80) },
        { ...line, ...money, line_key: "b", suggestion: stored("expense", 40) },
        { ...line, ...money, line_key: "c", suggestion: stored("rule", 0) }
      ])}`

      yield* migrate("migrations")
      const thresholds = yield* sql<{ threshold: number | null; others: number }>`
        select (settings ->> 'reconciliation_auto_threshold')::integer as threshold,
          (select count(*)::integer from jsonb_object_keys(settings)) as others
        from organizations order by id`
      assert.deepStrictEqual(
        thresholds.map(({ others, threshold }) => [threshold, others]),
        [
          [null, 0],
          [50, 2],
          [30, 2],
          [60, 2]
        ]
      )
      const scores = yield* sql`select (suggestion ->> 'score')::integer as score from bank_transactions order by id`
      assert.deepStrictEqual(scores, [{ score: 50 }, { score: 30 }, { score: 0 }])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
