import { Effect, Option, Schema, Stream } from "effect"
import { isSame } from "./BackupCheck.ts"
import type { BackupEntry } from "./BackupFile.ts"
import { type ForeignKey, foreignKeysOf, migrationsOf, quoted, type Table, tablesOf } from "./Catalogue.ts"
import type { CopyFailed, CopySession, CopyTarget } from "./CopySession.ts"
import { digestTable } from "./DatabaseDump.ts"
import type { Header, Manifest } from "./Manifest.ts"
import { TransferRefused } from "./TransferRefused.ts"

/** Tables into which the migrations insert rows, so that even a new database has these rows. */
const filled_by_migrations = ["jobs_migrations"]

/** Refuses a database that already has data, so that a restore never mixes two installations. */
export const requireEmpty = Effect.fn("DatabaseLoad.requireEmpty")(function* (
  session: CopySession,
  { migrations }: Header
) {
  const latest = (yield* migrationsOf(session)).at(-1)?.id ?? 0
  yield* requireNoRows(session)
  if (latest > (migrations.at(-1)?.id ?? 0)) return yield* notEmpty("its schema is newer than the backup")
})

const requireNoRows = Effect.fnUntraced(function* (session: CopySession) {
  const tables = (yield* tablesOf(session)).filter(({ name }) => !filled_by_migrations.includes(name))
  const used = yield* Effect.findFirst(tables, ({ name }) => hasRows(session, name))
  if (Option.isSome(used)) return yield* notEmpty(`table ${used.value.name} has rows`)
})

const notEmpty = (what: string) =>
  TransferRefused.of(`The database is not empty (${what}): restore into a new database.`)

const hasRows = (session: CopySession, table: string) =>
  Effect.map(
    session.rows(Schema.Struct({ found: Schema.Boolean }), `select exists (select from ${quoted(table)}) as found`),
    ([row]) => row?.found === true
  )

export const tableLoader = (session: CopySession, { tables }: Manifest) => {
  let current: { readonly table: string; readonly target: CopyTarget } | undefined

  const endCurrent = Effect.suspend(() => {
    const ended = current?.target.end ?? Effect.void
    current = undefined
    return ended
  })

  /** All parts of one table must come in sequence. */
  const load = Effect.fnUntraced(function* (table: string, entry: BackupEntry) {
    if (current?.table !== table) {
      yield* endCurrent
      const columns = tables.find(({ name }) => name === table)?.columns ?? []
      const statement = `copy ${quoted(table)} (${columns.map(quoted).join(", ")}) from stdin`
      current = { table, target: yield* session.copyIn(statement) }
    }
    yield* Stream.runForEach(entry.bytes, current.target.write)
  })
  return { load, endCurrent }
}

/**
 * Loads the tables in one transaction, which `finish` commits. Foreign keys are recreated at the end, which checks all
 * rows at once. Triggers are disabled, because the backup already contains the rows that they write.
 */
export const databaseLoad = Effect.fn("DatabaseLoad.begin")(function* (session: CopySession, manifest: Manifest) {
  const tables = yield* tablesOf(session)
  const keys = yield* foreignKeysOf(session)
  yield* requireSameTables(manifest, tables)
  yield* session.begin()
  for (const { name, table } of keys) yield* session.run(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of tables) yield* session.run(`alter table ${quoted(name)} disable trigger user`)
  // The statements above lock the tables. A running service may have written rows before, so this is checked again.
  yield* requireNoRows(session)
  yield* session.run(`truncate ${tables.map(({ name }) => quoted(name)).join(", ")}`)
  const { endCurrent, load } = tableLoader(session, manifest)

  /** Compares the loaded rows with the manifest, runs `last` in the same transaction, and commits. */
  const finish = Effect.fnUntraced(function* (last: Effect.Effect<void, CopyFailed>) {
    yield* endCurrent
    for (const { name, value } of manifest.sequences) {
      yield* session.run(`select setval('${quoted(name)}', ${value})`)
    }
    for (const { name } of tables) yield* session.run(`alter table ${quoted(name)} enable trigger user`)
    yield* Effect.forEach(keys, (key) => session.run(addKey(key)))
    for (const table of tables) yield* requireSameRows(session, manifest, table)
    yield* last
    yield* session.run("commit")
    yield* session.begin()
    yield* session.run("analyze")
    yield* session.run("commit")
  })
  return { load, endCurrent, finish }
})

const addKey = ({ definition, name, table }: ForeignKey) =>
  `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`

const shapeOf = ({ columns, name }: Pick<Table, "name" | "columns">) => `${name} (${columns.join(", ")})`

export const requireSameTables = (manifest: Manifest, tables: ReadonlyArray<Table>) => {
  const own = new Set(tables.map(shapeOf))
  const foreign = manifest.tables.map(shapeOf).find((table) => !own.has(table))
  if (foreign === undefined && own.size === manifest.tables.length) return Effect.void
  const message = `The tables of the backup are not those of its migrations: ${foreign ?? "some are missing"}.`
  return Effect.fail(TransferRefused.of(message))
}

export const requireSameRows = Effect.fnUntraced(function* (session: CopySession, manifest: Manifest, table: Table) {
  const found = yield* digestTable(session, table)
  const told = manifest.tables.find(({ name }) => name === table.name)
  if (told !== undefined && isSame(told, found)) return
  const message = `Table ${table.name} is not what the backup holds: ${found.rows} rows instead of ${told?.rows}.`
  return yield* TransferRefused.of(message)
})
