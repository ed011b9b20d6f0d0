import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { createHash } from "node:crypto"

/** Returns the SHA-256 in hexadecimal. It is independent of the service, whose digests the tests check. */
export const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

/** Tables that count requests, so that every request changes them. */
const counters = ["rate_windows"]

/** Returns the number of rows and a digest of each table; two results differ if anything changed. */
export const digestOfEverything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ${sql.in(counters)} order by 1`
  return yield* Effect.forEach(tables, ({ name }) => digest(name, sql`true`))
})

/** Returns the number and a digest of one organization's rows in each table. */
export const digestOf = Effect.fn("digestOf")(function* (organization_id: number) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c join pg_tables t on t.tablename = c.table_name
    where c.column_name = 'organization_id' and c.table_schema = 'public' and t.schemaname = 'public' order by 1`
  const own = yield* digest("organizations", sql`id = ${organization_id}`)
  const rest = yield* Effect.forEach(tables, ({ name }) => digest(name, sql`organization_id = ${organization_id}`))
  return [own, ...rest]
})

const digest = Effect.fnUntraced(function* (table: string, where: Fragment) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number; digest: string }>`
    select count(*)::integer as rows, md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest
    from ${sql(table)} t where ${where}`
  return { table, ...row }
})
