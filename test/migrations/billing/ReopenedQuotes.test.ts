import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"

const version_before = 59

/** Days of October on which a quote was rejected, and on which its links were made, with those that are revoked. */
const quotes = [
  { status: "sent", rejected: [], links: [1], revoked: [] },
  { status: "rejected", rejected: [2], links: [1], revoked: [] },
  { status: "draft", rejected: [2], links: [1], revoked: [1] },
  { status: "accepted", rejected: [2], links: [1, 3], revoked: [1] },
  { status: "rejected", rejected: [2, 4], links: [1, 3], revoked: [1] },
  { status: "sent", rejected: [2, 4], links: [1, 3, 5], revoked: [1, 3] }
]

const on = (day: number) => `2026-10-0${day}T12:00:00.000Z`

layer(NodeServices.layer, { excludeTestServices: true })("0060_reopened_quotes.sql", (it) => {
  it.effect("revokes the links of offers that were rejected and changed, and no others", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Ours', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      yield* sql`insert into customers (organization_id, name, search) values (1, 'Customer', 'customer')`
      let seq = 0
      for (const [index, { links, rejected, status }] of quotes.entries()) {
        const id = index + 1
        yield* sql`
          insert into quotes (organization_id, customer_id, number, status, issue_date, valid_until, currency, items,
            tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
          values (1, 1, ${`QUO-${id}`}, ${status}, now(), now(), 'EUR', '[]', '[]', 1, 0, 0, 1, now(), now())`
        for (const day of rejected) {
          const canonical = `{"action":"quote.rejected","actor":"user:1","at":"${on(day)}","data":{"quote_id":${id}}}`
          yield* sql`insert into audit_entries values (1, ${++seq}, ${canonical}, '')`
        }
        for (const day of links) {
          yield* sql`
            insert into document_links (hash, organization_id, document, document_id, recipient, created_at, expires_at)
            values (${new TextEncoder().encode(`${id} ${day}`)}, 1, 'quote', ${id}, 'a@beta.eu', ${on(day)}, '2999-01-01')`
        }
      }
      yield* migrate(migrations)
      const rows = yield* sql<{ readonly document_id: number; readonly day: number }>`
        select document_id::integer, extract(day from created_at)::integer as day from document_links
        where revoked_at is not null order by document_id, created_at`
      assert.deepStrictEqual(
        rows.map(({ day, document_id }) => [document_id, day]),
        quotes.flatMap(({ revoked }, index) => revoked.map((day) => [index + 1, day]))
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
