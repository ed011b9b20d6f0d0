import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

/** Opens an organization in each time zone, migrates, and returns the zones that the organizations have then. */
const migrated = Effect.fn(function* (version_before: number, zones: ReadonlyArray<string>) {
  yield* migrate(migrations, version_before)
  const sql = yield* SqlClient.SqlClient
  for (const timezone of zones) {
    yield* sql`
      insert into organizations (name, country, currency, timezone, language, search)
      values ('Acme', 'BE', 'EUR', ${timezone}, 'en', 'acme')`
  }
  yield* migrate(migrations)
  const rows = yield* sql<{ timezone: string }>`select timezone from organizations order by id`
  return rows.map(({ timezone }) => timezone)
})

layer(NodeServices.layer, { excludeTestServices: true })("the migrations of time zones", (it) => {
  it.effect("0028 replaces abbreviations by the zones that they were for the service", () =>
    Effect.gen(function* () {
      const zones = yield* migrated(26, ["IST", "cet", "EST", "UTC", "Europe/Paris"])
      assert.deepStrictEqual(zones, ["Asia/Kolkata", "Europe/Brussels", "America/Panama", "UTC", "Europe/Paris"])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )

  it.effect("0048 replaces zones that PostgreSQL does not know by zones with the same clock", () =>
    Effect.gen(function* () {
      const zones = yield* migrated(42, ["US/Pacific-New", "systemv/yst9ydt", "US/Pacific"])
      assert.deepStrictEqual(zones, ["America/Los_Angeles", "America/Anchorage", "US/Pacific"])
      const sql = yield* SqlClient.SqlClient
      yield* sql`select now() at time zone timezone from organizations`
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
