import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 20

layer(NodeServices.layer, { excludeTestServices: true })("0021_suggestion_refreshes.sql", (it) => {
  it.effect("awaits the suggestions of each organization that has a bank account, or gets one", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        select 'Organization ' || n, 'BE', 'EUR', 'Europe/Brussels', 'en', '' from generate_series(1, 3) n`
      const account = (organization_id: number) => sql`
        insert into bank_accounts (organization_id, name, currency) values (${organization_id}, 'Current', 'EUR')`
      yield* account(1)
      yield* account(1)
      yield* migrate(migrations)
      yield* account(3)
      yield* account(3)
      const rows = yield* sql`
        select organization_id, position, due_at <= now() as is_due from suggestion_refreshes order by organization_id`
      const due = { position: 0, is_due: true }
      assert.deepStrictEqual(rows, [
        { organization_id: 1, ...due },
        { organization_id: 3, ...due }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
