import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 12

layer(NodeServices.layer, { excludeTestServices: true })("0013_cheaper_writes.sql", (it) => {
  it.effect("copies the lock date of the books into the journal, and keeps events", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search, settings)
        values ('Locked', 'BE', 'EUR', 'Europe/Brussels', 'en', '', '{"books_locked_until": "2026-01-31"}'),
          ('Open', 'BE', 'EUR', 'Europe/Brussels', 'en', '', '{"invoice_number_on": "create"}')`
      yield* sql`insert into journals (organization_id, events) values (1, 1), (2, 0)`
      yield* sql`insert into outbox (organization_id, sequence, event_id, type, occurred_at, data)
        values (1, 1, 'evt_1', 'invoice.created', now(), '{"object": "invoice", "id": 7}')`
      yield* migrate(migrations)

      const locked = sql`select organization_id, books_locked_until::text from journals order by organization_id`
      const [first, second] = [{ organization_id: 1 }, { organization_id: 2 }]
      const none = { books_locked_until: null }
      assert.deepStrictEqual(yield* locked, [
        { ...first, books_locked_until: "2026-01-31" },
        { ...second, ...none }
      ])
      assert.deepStrictEqual(yield* sql`select data from outbox`, [{ data: { object: "invoice", id: 7 } }])

      yield* sql`update organizations set settings = '{"books_locked_until": "2026-02-28"}' where id = 2`
      yield* sql`update organizations set settings = '{}' where id = 1`
      assert.deepStrictEqual(yield* locked, [
        { ...first, ...none },
        { ...second, books_locked_until: "2026-02-28" }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
