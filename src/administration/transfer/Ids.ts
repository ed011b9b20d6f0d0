import { Effect, Schema } from "effect"
import { range_ids } from "../../kernel/Ids.ts"
import { type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { literal, quoted } from "../../platform/backup/Catalogue.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import type { MovedTables } from "./MovedTables.ts"

/** While a sequence is being raised, the service may take up to this number of ids from it. */
const margin_ids = 1_000

const Sequence = Schema.Struct({ name: Schema.String })

/** Moves the sequences into one range of ids, so that organizations can move between installations. */
export const chooseRange = Effect.fn("Ids.chooseRange")(function* (connection: Connection, range: number) {
  const session = yield* copySession(connection)
  const first_id = range * range_ids + 1
  yield* session.begin()
  const behind = yield* session.rows(
    Sequence,
    `select sequencename as name from pg_sequences
     where schemaname = current_schema() and data_type = 'bigint'::regtype and coalesce(last_value, 0) < ${first_id}`
  )
  for (const { name } of behind) yield* session.run(`select setval(${literal(quoted(name))}, ${first_id}, false)`)
  yield* session.run("commit")
  return { first_id, sequences: behind.length }
}, Effect.scoped)

/**
 * SQL queries for ids that a sequence assigned, but that are not in the column to which the sequence belongs. The
 * sequence `invoice_item_ids` belongs to no column.
 */
const further: Readonly<Record<string, string>> = {
  customers_id_seq: "select id from counterparties where",
  invoice_item_ids: `select (item ->> 'id')::bigint from (
      select organization_id, items from invoices union all select organization_id, items from quotes
      union all select organization_id, items from credit_notes) documents,
    jsonb_array_elements(items) item where`
}

const Owned = Schema.Struct({ name: Schema.String, table: Schema.String, column: Schema.String })

/** Raises each sequence above the imported ids of its own range, so that it does not assign them again. */
export const raiseSequences = Effect.fn("Ids.raiseSequences")(function* (session: CopySession, tables: MovedTables) {
  const owned = yield* session.rows(
    Owned,
    `select s.relname as name, t.relname as table, a.attname as column
     from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`
  )
  const where = (table: string) => tables.find(({ name }) => name === table)?.where
  const selects = owned.flatMap(({ column, name, table }) =>
    where(table) === undefined ? [] : [[name, `select ${quoted(column)} from ${quoted(table)} where ${where(table)}`]]
  )
  const others = Object.entries(further).map(([name, select]) => [name, `${select} ${where("invoices")}`])
  for (const [name = "", select = ""] of [...selects, ...others]) yield* raise(session, name, select)
})

const raise = (session: CopySession, sequence: string, ids: string) =>
  session.run(
    `select setval(${literal(quoted(sequence))}, highest + ${margin_ids})
     from (select max(id) as highest from (${ids}) imported (id), ${quoted(sequence)} s
       where id / ${range_ids} = s.last_value / ${range_ids}) found, ${quoted(sequence)} s
     where highest >= s.last_value`
  )
