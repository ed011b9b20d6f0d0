import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"

layer(NodeServices.layer, { excludeTestServices: true })("the migration of rates of the own country", (it) => {
  it.effect("0101 removes the country of the organization from its tax rates, and leaves other countries", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, 95)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'en', 'acme'), ('Beta', 'FR', 'EUR', 'Europe/Paris', 'fr', 'beta')`
      yield* sql`
        insert into tax_rates (organization_id, name, rate, category, country)
        select id, coalesce(code, 'own'), 20, 'S', code from organizations, unnest(array['BE', 'FR', null]) as code`
      yield* migrate(migrations)
      const rows = yield* sql<{ of: string; name: string; country: string | null }>`
        select o.country as of, r.name, r.country from tax_rates r join organizations o on o.id = r.organization_id
        order by o.country, r.name`
      assert.deepStrictEqual(
        rows.map(({ country, name, of }) => [of, name, country]),
        [
          ["BE", "BE", null],
          ["BE", "FR", "FR"],
          ["BE", "own", null],
          ["FR", "BE", "BE"],
          ["FR", "FR", null],
          ["FR", "own", null]
        ]
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
