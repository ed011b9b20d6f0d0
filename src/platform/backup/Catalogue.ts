import { Effect, Schema } from "effect"
import type { CopyFailed, CopySession } from "./CopySession.ts"

/** A table with the columns that COPY can write, which are all but the generated ones. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** Expressions that give the rows an order that is the same on every server. */
  readonly order: ReadonlyArray<string>
  /** Condition of the rows to copy; all rows if absent. */
  readonly where?: string
}

/** Tables that record which migrations have run. They are not part of a backup. */
const bookkeeping = ["effect_sql_migrations", "migration_files"]

/** Rows are ordered by the primary key, or else by all columns. Text is ordered by its bytes: collations differ. */
const tables_statement = `
  select c.relname as name,
    (select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((
      select jsonb_agg(quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end order by k.n)
      from pg_index i
      cross join unnest(i.indkey::smallint[]) with ordinality k(attnum, n)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary
    ), jsonb_build_array(quote_ident(c.relname) || '::text collate "C"')) as "order"
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and c.relname not in (${bookkeeping.map((name) => `'${name}'`).join(", ")})
  order by c.relname collate "C"`

const Names = Schema.Array(Schema.String)
const TableRow = Schema.Struct({ name: Schema.String, columns: Names, order: Names })

export const tablesOf = (session: CopySession): Effect.Effect<ReadonlyArray<Table>, CopyFailed> =>
  session.rows(TableRow, tables_statement)

export const SequenceValue = Schema.Struct({ name: Schema.String, value: Schema.String })

/**
 * Reads the latest values of all sequences, even within a snapshot, so that no id of a row is ever issued again. The
 * value of a sequence that has not been used since it was moved is the one before its next value. The view
 * `pg_sequences` does not have this value.
 */
export const sequencesOf = Effect.fnUntraced(function* (session: CopySession) {
  const sequences = yield* session.rows(
    Schema.Struct({ name: Schema.String }),
    'select sequencename as name from pg_sequences where schemaname = current_schema() order by sequencename collate "C"'
  )
  const selects = sequences.map(
    ({ name }) =>
      `select ${literal(name)} as name, (last_value - (not is_called)::integer)::text as value from ${quoted(name)}`
  )
  return yield* session.rows(SequenceValue, selects.join(" union all "))
})

const ForeignKey = Schema.Struct({ table: Schema.String, name: Schema.String, definition: Schema.String })
export type ForeignKey = typeof ForeignKey.Type

export const foreignKeysOf = (session: CopySession) =>
  session.rows(
    ForeignKey,
    `select t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by 1, 2`
  )

export const AppliedMigration = Schema.Struct({ id: Schema.Int, sha256: Schema.String })

export const migrationsOf = Effect.fnUntraced(function* (session: CopySession) {
  const [{ known } = { known: false }] = yield* session.rows(
    Schema.Struct({ known: Schema.Boolean }),
    "select to_regclass('migration_files') is not null as known"
  )
  return known ? yield* session.rows(AppliedMigration, "select id, sha256 from migration_files order by id") : []
})

export const selectOf = ({ columns, name, order, where = "true" }: Table): string =>
  `select ${columns.map(quoted).join(", ")} from ${quoted(name)} where ${where} order by ${order.join(", ")}`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
