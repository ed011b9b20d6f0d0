import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"

const version_before = 96

layer(NodeServices.layer, { excludeTestServices: true })("0097_logins_and_invitations.sql", (it) => {
  it.effect("keeps the present addresses of invited persons, and none of members", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'nl', 'acme')`
      yield* sql`insert into users (name, email) values ('Ana', 'ana@example.com'), ('Ina', 'ina@example.com')`
      yield* sql`
        insert into members (organization_id, user_id, role, status)
        select o.id, u.id, 'owner', case u.name when 'Ana' then 'active' else 'invited' end
        from organizations o, users u`
      yield* migrate(migrations)
      const rows = yield* sql`select status, invited_email from members order by status`
      assert.deepStrictEqual(rows, [
        { status: "active", invited_email: null },
        { status: "invited", invited_email: "ina@example.com" }
      ])
    }).pipe(Effect.provide(emptyDatabase))
  )
})
