import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 49
const report = "01a2253e-38a9-76c9-871c-db8119e91681"
const at = "2026-03-01T10:00:00Z"

layer(NodeServices.layer, { excludeTestServices: true })("0050_french_statuses.sql", (it) => {
  it.effect("keeps the statuses that were read, and leaves out one that was overlooked", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      const [made] = yield* sql<{ id: number }>`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'FR', 'EUR', 'Europe/Paris', 'fr', 'acme') returning id`
      const organization_id = made?.id ?? 0
      const period = { organization_id, environment: "production", kind: "transactions", period_start: "2026-02-01" }
      yield* sql`insert into french_periods ${sql.insert({ ...period, period_end: "2026-02-28", due_date: "2026-03-10" })}`
      const stored = { id: report, version: 1, type: "IN", status: "accepted", content_sha256: "", xml: "" }
      const told = { recorded_at: at, authority_code: "300", authority_at: at }
      yield* sql`insert into french_reports ${sql.insert({ ...period, ...stored, ...told })}`
      for (const [flow_id, code, submitted_at] of [
        ["first", "300", "2026-03-01T09:00:00Z"],
        ["latest", "300", at],
        ["overlooked", "301", at]
      ] as const) {
        yield* sql`insert into incoming_flows ${sql.insert({ organization_id, flow_id, kind: "status", submitted_at })}`
        const status = { number: report, document_type: "invoice", code, source: "network" }
        yield* sql`insert into lifecycle_statuses ${sql.insert({ organization_id, flow_id, position: 0, ...status })}`
      }
      yield* migrate(migrations)
      const rows = yield* sql<{ authority_statuses: unknown }>`select authority_statuses from french_reports`
      assert.deepStrictEqual(rows, [{ authority_statuses: ["first:0", "latest:0"] }])
    }).pipe(Effect.provide(emptyDatabase))
  )
})
