import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabase } from "../../support/database/Postgres.ts"

const version_before = 21

/**
 * `gone` is the column that says that the quote's invoice was deleted or made void; null if the invoice still exists.
 * `accepted` and `sent` are true for states that the quote had before its conversion.
 */
const quotes = [
  { gone: "deleted_at", accepted: true, sent: true, expected: "accepted" },
  { gone: "deleted_at", accepted: false, sent: true, expected: "sent" },
  { gone: "voided_at", accepted: false, sent: false, expected: "draft" },
  { gone: null, accepted: true, sent: true, expected: "converted" }
] as const

layer(NodeServices.layer, { excludeTestServices: true })("0022_converted_quotes.sql", (it) => {
  it.effect("makes the quotes of deleted invoices convertible again, and no others", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organizations (name, country, currency, timezone, language, search)
        values ('Ours', 'BE', 'EUR', 'Europe/Brussels', 'en', '')`
      yield* sql`insert into customers (organization_id, name, search) values (1, 'Customer', 'customer')`
      for (const [index, { accepted, gone, sent }] of quotes.entries()) {
        const id = index + 1
        const content = sql`'[]', '[]', 1, 0, 0, 1, now(), now()`
        yield* sql`
          insert into quotes (organization_id, customer_id, number, status, issue_date, valid_until, currency, items,
            tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at, sent_at, accepted_at)
          values (1, 1, ${`QUO-${id}`}, 'sent', now(), now(), 'EUR', ${content}, ${sent ? sql`now()` : sql`null`},
            ${accepted ? sql`now()` : sql`null`})`
        yield* sql`
          insert into invoices (organization_id, customer_id, number, issue_date, due_date, currency, items,
            tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at, quote_id)
          values (1, 1, ${`INV-${id}`}, now(), now(), 'EUR', ${content}, ${id})`
        yield* sql`update quotes set status = 'converted', invoice_id = ${id}, converted_at = now() where id = ${id}`
        if (gone !== null) yield* sql`update invoices set ${sql.literal(gone)} = now() where id = ${id}`
      }
      yield* migrate(migrations)
      const rows = yield* sql`select status, invoice_id, version from quotes order by id`
      assert.deepStrictEqual(
        rows,
        quotes.map(({ expected }, index) =>
          expected === "converted"
            ? { status: expected, invoice_id: index + 1, version: 1 }
            : { status: expected, invoice_id: null, version: 2 }
        )
      )
    }).pipe(Effect.provide(emptyDatabase, { local: true }))
  )
})
