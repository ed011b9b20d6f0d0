import { Effect, Schema } from "effect"
import { quoted } from "../../platform/backup/Catalogue.ts"
import type { CopySession } from "../../platform/backup/CopySession.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import type { MovedTables } from "./MovedTables.ts"

const Names = Schema.Array(Schema.String)
const Reference = Schema.Struct({
  name: Schema.String,
  table: Schema.String,
  columns: Names,
  parent: Schema.String,
  keys: Names
})

const named = (table: string, numbers: string) =>
  `(select jsonb_agg(a.attname order by k.n) from unnest(${numbers}) with ordinality k (attnum, n)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum)`

/** Checks the foreign keys of the imported rows, which the database did not check while they were loaded. */
export const requireReferences = Effect.fn("References.require")(function* (session: CopySession, tables: MovedTables) {
  const references = yield* session.rows(
    Reference,
    `select c.conname as name, t.relname as table, p.relname as parent,
       ${named("c.conrelid", "c.conkey")} as columns, ${named("c.confrelid", "c.confkey")} as keys
     from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class p on p.oid = c.confrelid
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`
  )
  for (const { columns, keys, name, parent, table } of references) {
    const moved = tables.find((one) => one.name === table)
    if (moved === undefined) continue
    const isSet = columns.map((column) => `c.${quoted(column)} is not null`).join(" and ")
    const isSame = columns.map((column, index) => `p.${quoted(keys[index] ?? "")} = c.${quoted(column)}`).join(" and ")
    const [dangling] = yield* session.rows(
      Schema.Struct({ found: Schema.Int }),
      `select 1 as found from (select * from ${quoted(table)} where ${moved.where}) c
       where ${isSet} and not exists (select from ${quoted(parent)} p where ${isSame}) limit 1`
    )
    if (dangling === undefined) continue
    return yield* TransferRefused.of(`A row of ${table} refers to a missing row (${name}).`)
  }
})
