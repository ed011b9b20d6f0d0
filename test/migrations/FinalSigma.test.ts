import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { searchText } from "../../src/kernel/SearchText.ts"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 24
const name = "ΚΩΣΤΑΣ ΑΕ"

layer(NodeServices.layer, { excludeTestServices: true })("0025_final_sigma.sql", (it) => {
  it.effect("stores the search text of Greek names as new records do, also in the archive", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      const before = name.toLowerCase()
      assert.include(before, "ς")
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values (${name}, 'GR', 'EUR', 'Europe/Athens', 'en', ${before})`
      yield* sql`insert into customers (organization_id, name, search) values (1, ${name}, ${before})`
      yield* sql`insert into vaults (organization_id) values (1)`
      yield* sql`
        insert into archive_objects (organization_id, position, id, object_kind, direction, number_search,
          counterparty_search, sha256, content_type, size_bytes, object_key, bucket, storage_account, region, archived_at)
        values (1, 1, gen_random_uuid(), 'pdf', 'outbound', '', ${before}, '', '', 0, '', '', '', '', now())`
      yield* migrate(migrations)
      const rows = yield* sql`
        select o.search as organization, c.search as customer, a.counterparty_search as archived
        from organizations o, customers c, archive_objects a`
      const expected = searchText([name])
      assert.deepStrictEqual(rows, [{ organization: expected, customer: expected, archived: expected }])
      const refused = yield* Effect.exit(sql`update archive_objects set counterparty_search = ''`)
      assert.strictEqual(refused._tag, "Failure")
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
