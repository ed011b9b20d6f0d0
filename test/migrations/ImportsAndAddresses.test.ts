import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 28

layer(NodeServices.layer, { excludeTestServices: true })("0029_imports_and_addresses.sql", (it) => {
  it.effect("gives the mapping of each account to its latest import", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Ours', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      yield* sql`
        insert into bank_accounts (organization_id, name, currency, csv_mapping)
        values (1, 'Mapped', 'EUR', '{"delimiter": ";"}'), (1, 'Detected', 'EUR', null)`
      for (const account of [1, 1, 2]) {
        yield* sql`
          insert into bank_imports (organization_id, bank_account_id, file_sha256, summary, created_at)
          values (1, ${account}, '', '{}', now())`
      }
      yield* migrate(migrations)
      assert.deepStrictEqual(yield* sql`select csv_mapping from bank_imports order by id`, [
        { csv_mapping: null },
        { csv_mapping: { delimiter: ";" } },
        { csv_mapping: null }
      ])
    }).pipe(Effect.provide(emptyDatabase))
  )
})
