import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 26
/** Time zones of organizations before and after the migration. */
const zones = [
  ["IST", "Asia/Kolkata"],
  ["cet", "Europe/Brussels"],
  ["EST", "America/Panama"],
  ["UTC", "UTC"],
  ["Europe/Paris", "Europe/Paris"]
] as const

layer(NodeServices.layer, { excludeTestServices: true })("0028_time_zones.sql", (it) => {
  it.effect("replaces abbreviations by the zones that they were for the service", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      for (const [timezone] of zones) {
        yield* sql`
          insert into organizations (name, country, currency, timezone, language, search)
          values ('Acme', 'BE', 'EUR', ${timezone}, 'en', 'acme')`
      }
      yield* migrate(migrations)
      const rows = yield* sql<{ timezone: string }>`select timezone from organizations order by id`
      assert.deepStrictEqual(
        rows.map(({ timezone }) => timezone),
        zones.map(([, zone]) => zone)
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
