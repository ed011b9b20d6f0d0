import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 31
/** Setting of an organization, the next number of its series, and the number from which the series went on. */
const organizations = [
  [116, 118, 116],
  [116, 116, null],
  [null, 118, null]
] as const

layer(NodeServices.layer, { excludeTestServices: true })("0032_refunds_and_first_numbers.sql", (it) => {
  it.effect("keeps the series that went on from the number that the organization set", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      for (const [setting, next] of organizations) {
        const settings = setting === null ? "{}" : `{"invoice_next_number": ${setting}}`
        yield* sql`
          with made as (
            insert into organizations (name, country, currency, timezone, language, search, settings)
            values ('Acme', 'BE', 'EUR', 'UTC', 'en', 'acme', ${settings}::jsonb) returning id)
          insert into document_counters (organization_id, document, series, next)
          select id, 'invoice', '2026', ${next}::integer from made`
      }
      yield* migrate(migrations)
      const rows = yield* sql<{ asked: number | null }>`select asked from document_counters order by organization_id`
      assert.deepStrictEqual(
        rows.map(({ asked }) => asked),
        organizations.map(([, , asked]) => asked)
      )
    }).pipe(Effect.provide(emptyDatabase))
  )
})
