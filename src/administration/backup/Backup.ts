import { Clock, Console, Effect, Schema, Stream } from "effect"
import { Checkpoints } from "../../archive/checkpoints/Checkpoints.ts"
import { Integrity } from "../../archive/integrity/Integrity.ts"
import { retainedUntil } from "../../archive/objects/Retention.ts"
import { now } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { type BackupWriter, type Lock, writeBackup } from "../../platform/backup/BackupFile.ts"
import { migrationsOf, sequencesOf, type Table, tablesOf } from "../../platform/backup/Catalogue.ts"
import { type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { dumpTable } from "../../platform/backup/DatabaseDump.ts"
import { backup_format, Header, header_entry, Manifest, manifest_entry } from "../../platform/backup/Manifest.ts"
import { objectsDump, referencesOf } from "../../platform/backup/ObjectsDump.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import { BlobStore } from "../../platform/storage/BlobStore.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import { journalsOf } from "./LaterCheckpoints.ts"

/** Milliseconds between two progress messages of a backup or restore. */
const report_ms = 5_000

const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeManifest = Schema.encodeEffect(Schema.fromJsonString(Manifest))

/** Must run first, because the services that the backup uses would create the tables. */
export const requireTables = Effect.fn("Backup.requireTables")(function* (connection: Connection) {
  const session = yield* copySession(connection)
  if ((yield* migrationsOf(session)).length > 0) return
  return yield* TransferRefused.of(
    "The database has no tables: it is new, or DATABASE_URL or DATA_DIR refers to another database."
  )
}, Effect.scoped)

/** Must run first, too, because the services that use the keys would make new ones in place of those that are missing. */
export const requireOwnKeys = Effect.gen(function* () {
  const { secret_keys, signing_keys } = yield* installationKeys
  const missing = [
    ...(secret_keys.length === 0 ? ["SECRET_KEY (or DATA_DIR/secret.key)"] : []),
    ...(signing_keys.length === 0 ? ["SIGNING_KEY (or DATA_DIR/signing.key)"] : [])
  ]
  if (missing.length === 0) return
  return yield* TransferRefused.of(
    `The keys of this installation are missing: ${missing.join(" and ")}. Use the settings of the service.`
  )
}).pipe(Effect.withSpan("Backup.requireOwnKeys"))

/**
 * Writes a snapshot of the database, then the stored objects of its rows, while the service runs. An object is stored
 * before its row is committed, and never overwritten, so every object of the snapshot still exists.
 */
export const createBackup = Effect.fn("Backup.create")(function* (
  connection: Connection,
  program: string,
  file: string,
  lock: Lock
) {
  const writer = yield* writeBackup(file, lock)
  const session = yield* copySession(connection)
  yield* session.begin("isolation level repeatable read, read only")
  const header = yield* headerOf(session, program)
  yield* addText(writer, header_entry, yield* Effect.orDie(encodeHeader(header)))

  const tables = yield* tablesOf(session)
  const dumped = yield* addTables(writer, session, tables)
  // A restore could not set a sequence to zero, the value of one that was never used.
  const sequences = (yield* sequencesOf(session)).filter(({ value }) => value !== "0")
  const stored = yield* addObjects(writer, session, tables, yield* organizationsOf(session))
  yield* addText(writer, manifest_entry, yield* Effect.orDie(encodeManifest({ tables: dumped, sequences, ...stored })))
  yield* writer.finish
  const rows = dumped.reduce((sum, table) => sum + table.rows, 0)
  const { created_at, secret_keys, signing_keys } = header
  const { missing, missing_objects } = stored
  const objects = stored.objects.count
  return { file, created_at, rows, objects, missing_objects, missing, secret_keys, signing_keys }
}, Effect.scoped)

const Newer = Schema.Struct({ organization_id: Schema.FiniteFromString })

/**
 * Lists the organizations that have checkpoints and are not newer than the snapshot. A restored copy would take the
 * checkpoints of a newer organization for those of one whose rows were deleted.
 */
const organizationsOf = Effect.fnUntraced(function* (session: CopySession) {
  const { chained, organizations } = yield* Integrity
  const found = yield* organizations
  // This is read last, so that an organization that was just opened is not taken for one whose rows were deleted.
  const latest = yield* chained
  const rows = yield* session.rows(
    Newer,
    `select organization_id from unnest('{${latest.join()}}'::bigint[]) latest (organization_id)
     where not exists (select from journals j where j.organization_id = latest.organization_id)
       and not exists (select from audit_entries e where e.organization_id = latest.organization_id)`
  )
  const newer = new Set(rows.map(({ organization_id }) => organization_id))
  return found.filter((id) => !newer.has(id))
})

export const counted = (count: number, what: string) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

export const headerOf = Effect.fnUntraced(function* (session: CopySession, program: string) {
  const Version = Schema.Struct({ version: Schema.String })
  const [{ version } = { version: "" }] = yield* session.rows(Version, "select version() as version")
  const migrations = yield* migrationsOf(session)
  const keys = yield* installationKeys
  const header: Header = {
    format: backup_format,
    created_at: yield* now,
    program,
    postgresql: version,
    migrations,
    ...keys
  }
  return header
})

/** Adds the objects to which rows refer, and the checkpoints of the audit chains, to which no row refers. */
export const addObjects = Effect.fnUntraced(function* (
  writer: BackupWriter,
  session: CopySession,
  tables: ReadonlyArray<Table>,
  organizations: ReadonlyArray<OrganizationId>
) {
  const dump = yield* objectsDump(writer, yield* reporter("object"))
  yield* Stream.runForEach(referencesOf(session, tables), dump.add)
  const checkpoints = yield* Checkpoints
  const retain_until = (yield* retainedUntil(yield* BlobStore, (yield* AppConfig).archive.retentionDays)) ?? ""
  const journals = yield* journalsOf(session)
  const entries = new Map(journals.map((journal) => [journal.organization_id, journal.entries]))
  for (const organization_id of organizations) {
    // An organization whose rows were deleted directly in the database may still have checkpoints, which are all added.
    const until = entries.get(organization_id) ?? Infinity
    for (const key of yield* checkpoints.keys(organization_id, until)) yield* dump.add({ key, retain_until })
  }
  return dump.record()
})

export const addTables = (writer: BackupWriter, session: CopySession, tables: ReadonlyArray<Table>) =>
  Effect.forEach(tables, (table) =>
    Effect.tap(dumpTable(session, writer, table), ({ name, rows }) =>
      rows > 0 ? Console.error(`${name}: ${counted(rows, "row")}`) : Effect.void
    )
  )

/** Returns a function that prints how many items are done, at most every few seconds. */
export const reporter = Effect.fnUntraced(function* (what: string) {
  let reported_at = yield* Clock.currentTimeMillis
  return Effect.fnUntraced(function* (count: number) {
    const time = yield* Clock.currentTimeMillis
    if (time - reported_at < report_ms) return
    reported_at = time
    yield* Console.error(`${counted(count, what)} so far`)
  })
})

export const addText = (writer: BackupWriter, name: string, text: string) => {
  const bytes = new TextEncoder().encode(text)
  return writer.add({ name, size: bytes.length }, Stream.succeed(bytes))
}
