import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inspect } from "node:util"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const at = "2026-01-02T00:00:00Z"
const object = {
  organization_id: 1,
  direction: "outbound",
  number_search: "",
  counterparty_search: "",
  sha256: "0",
  content_type: "application/pdf",
  size_bytes: 1,
  object_key: "k",
  bucket: "b",
  storage_account: "a",
  region: "r",
  archived_at: at
}
const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`

layer(NodeServices.layer, { excludeTestServices: true })("0098_archive_environments.sql", (it) => {
  it.effect("says of everything that was exchanged that it is of the sandbox, and still refuses changes", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0098")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into vaults (organization_id, objects) values (1, 3)`
      yield* sql`insert into archive_objects ${sql.insert([
        { ...object, position: 1, id: uuid(1), object_kind: "pdf" },
        { ...object, position: 2, id: uuid(2), object_kind: "ubl_xml" },
        { ...object, position: 3, id: uuid(3), object_kind: "evidence" }
      ])}`
      const exchange = { organization_id: 1, id: "m", at, direction: "inbound", network: "peppol", type: "status" }
      yield* sql`insert into archive_transmissions ${sql.insert(exchange)}`

      yield* migrate("migrations")
      assert.deepStrictEqual(yield* sql`select object_kind, environment from archive_objects order by position`, [
        { object_kind: "pdf", environment: null },
        { object_kind: "ubl_xml", environment: "sandbox" },
        { object_kind: "evidence", environment: "sandbox" }
      ])
      assert.deepStrictEqual(yield* sql`select environment from archive_transmissions`, [{ environment: "sandbox" }])
      const refused = yield* Effect.flip(sql`update archive_objects set environment = null`)
      assert.include(inspect(refused, { depth: 8 }), "append-only")
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
