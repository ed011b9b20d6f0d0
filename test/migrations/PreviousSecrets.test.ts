import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { migrateUntil } from "../support/MigrateUntil.ts"
import { emptyDatabase } from "../support/Postgres.ts"

const webhook = { organization_id: 1, url: "https://example.com", events: "{*}", secret_hint: "...", after_sequence: 0 }

layer(NodeServices.layer, { excludeTestServices: true })("0068_previous_secrets.sql", (it) => {
  it.effect("keeps the rotated secret, to the millisecond", () =>
    Effect.gen(function* () {
      yield* migrateUntil("0068")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into organizations (name, country, currency, timezone, language, search)
        values ('Acme', 'BE', 'EUR', 'Europe/Brussels', 'nl', '')`
      yield* sql`insert into webhooks ${sql.insert([
        { ...webhook, id: 1, secret: "new", previous_secret: "old", previous_secret_until: "2026-03-01T10:00:00.5+02" },
        { ...webhook, id: 2, secret: "only", previous_secret: null, previous_secret_until: null }
      ])}`

      yield* migrate("migrations")
      assert.deepStrictEqual(yield* sql`select id, secret, previous_secrets from webhooks order by id`, [
        { id: 1, secret: "new", previous_secrets: [{ secret: "old", until: "2026-03-01T08:00:00.500Z" }] },
        { id: 2, secret: "only", previous_secrets: [] }
      ])
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
