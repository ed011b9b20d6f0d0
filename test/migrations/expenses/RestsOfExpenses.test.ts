import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"

const version_before = 98
const day = "2026-03-02T00:00:00Z"

layer(NodeServices.layer, { excludeTestServices: true })("0099_rests_of_expenses.sql", (it) => {
  it.effect("finds the rests of expenses that were paid by hand after a line had paid a part", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      // The bank lines of these rows do not matter, so they do not exist.
      for (const table of ["expenses", "bank_matches"]) yield* sql`alter table ${sql(table)} disable trigger all`
      const paid = (id: number, amount: number, line: number | null, status = "paid") => sql`
        insert into expenses (id, organization_id, expense_date, category, amount, tax_rates, currency, description,
          is_vat_deductible, is_billable, status, paid_at, bank_transaction_id, search, created_at, updated_at)
        values (${id}, 1, '2026-03-01', 'rent', ${amount}, '[]', 'EUR', '', false, false, ${status},
          ${status === "paid" ? day : null}, ${line}, '', now(), now())`
      const matched = (expense_id: number, amount: number, undone_at: string | null = null) => sql`
        insert into bank_matches (organization_id, bank_transaction_id, expense_id, amount, created_money_record,
          explanation, undone_at)
        values (1, 1, ${expense_id}, ${amount}, false, '[]', ${undone_at})`
      yield* paid(1, 100, null)
      yield* paid(2, 100, 1)
      yield* matched(2, 60)
      yield* matched(2, 40, day)
      yield* paid(3, -100, 1)
      yield* matched(3, 30)
      yield* matched(3, 30)
      yield* paid(4, 100, 1)
      yield* matched(4, 100)
      yield* paid(5, 100, 1, "pending")
      yield* matched(5, 60)
      yield* migrate(migrations)
      const rests = yield* sql`select id, amount::float from recorded_expenses order by id`
      assert.deepEqual(rests, [
        { id: 1, amount: 100 },
        { id: 2, amount: 40 },
        { id: 3, amount: -40 }
      ])
      yield* sql`alter table expenses enable trigger expenses_rest_recorded`
      yield* sql`update expenses set status = 'paid', paid_at = now() where id = 5`
      const noted = yield* sql`select id from expenses where is_rest_recorded order by id`
      assert.deepEqual(noted, [{ id: 2 }, { id: 3 }, { id: 5 }])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
