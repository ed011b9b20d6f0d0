import { Effect, Schema } from "effect"
import { range_ids } from "../../kernel/Ids.ts"
import { type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { literal, quoted, sequencesOf } from "../../platform/backup/Catalogue.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import type { MovedTables } from "./MovedTables.ts"

/** While a sequence is being raised, the service may take up to this number of ids from it. */
const margin_ids = 1_000

/**
 * Moves the sequences into one range of ids, so that organizations can move between installations. Sequences never go
 * back, because later ids must be higher, and a sequence of a newer version may begin in the range of the others.
 */
export const chooseRange = Effect.fn("Ids.chooseRange")(function* (connection: Connection, range: number) {
  const session = yield* copySession(connection)
  yield* session.begin()
  const sequences = yield* sequencesOf(session)
  const behind = sequences.filter(({ value }) => rangeOf(value) < range)
  const own = highestRange(sequences)
  if (behind.length === 0 || own > range) {
    const message = `The ids of this installation are already in range ${own}: choose range ${own + 1} or a higher one.`
    return yield* TransferRefused.of(message)
  }
  const before_first = range * range_ids
  for (const { name } of behind) yield* session.run(`select setval(${literal(quoted(name))}, ${before_first})`)
  yield* session.run("commit")
  return { first_id: before_first + 1, sequences: behind.length }
}, Effect.scoped)

const rangeOf = (value: string) => Math.floor(Number(value) / range_ids)

const highestRange = (sequences: ReadonlyArray<{ readonly value: string }>) =>
  Math.max(...sequences.map(({ value }) => rangeOf(value)))

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

/** Lists SQL queries for the ids of the imported rows that each sequence has assigned. */
const importedIds = Effect.fnUntraced(function* (session: CopySession, tables: MovedTables) {
  const owned = yield* session.rows(
    Owned,
    `select s.relname as name, t.relname as table, a.attname as column
     from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`
  )
  const where = (table: string) => tables.find(({ name }) => name === table)?.where
  const selects = owned.flatMap(({ column, name, table }) =>
    where(table) === undefined
      ? []
      : [{ name, ids: `select ${quoted(column)} from ${quoted(table)} where ${where(table)}` }]
  )
  const others = Object.entries(further).map(([name, select]) => ({ name, ids: `${select} ${where("invoices")}` }))
  return [...selects, ...others]
})

/**
 * Refuses an import with ids above the ranges of this installation, because the service takes the record with the
 * highest id for the latest one.
 */
export const requireLowerIds = Effect.fn("Ids.requireLower")(function* (session: CopySession, tables: MovedTables) {
  const sequences = yield* sequencesOf(session)
  const own = new Map(sequences.map(({ name, value }) => [name, rangeOf(value)]))
  const imported = yield* Effect.forEach(yield* importedIds(session, tables), ({ ids, name }) =>
    Effect.map(
      session.rows(Highest, `select coalesce(max(id), 0)::text as value from (${ids}) imported (id)`),
      ([{ value } = { value: "0" }]) => ({ name, value })
    )
  )
  if (imported.every(({ name, value }) => rangeOf(value) <= (own.get(name) ?? 0))) return
  const higher = highestRange(imported)
  const message =
    `The organization has ids of range ${higher}, above the ranges of this installation, whose records must get ` +
    `higher ids: run organization id-range ${Math.max(higher + 1, highestRange(sequences))} first.`
  return yield* TransferRefused.of(message)
})

const Highest = Schema.Struct({ value: Schema.String })

/** Raises each sequence above the imported ids, so that it does not assign them again. */
export const raiseSequences = Effect.fn("Ids.raiseSequences")(function* (session: CopySession, tables: MovedTables) {
  for (const { ids, name } of yield* importedIds(session, tables)) {
    const sequence = quoted(name)
    yield* session.run(
      `select setval(${literal(sequence)}, highest + ${margin_ids})
       from (select max(id) as highest from (${ids}) imported (id)) found, ${sequence} s where highest >= s.last_value`
    )
  }
})
