import { Console, Effect, Stream } from "effect"
import type { Checkpoints } from "../../archive/checkpoints/Checkpoints.ts"
import { Integrity } from "../../archive/integrity/Integrity.ts"
import { Proofs } from "../../archive/integrity/Proofs.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { checkBackup, headerOf } from "../../platform/backup/BackupCheck.ts"
import { readBackup, type Unlock } from "../../platform/backup/BackupFile.ts"
import { migrationsOf } from "../../platform/backup/Catalogue.ts"
import { type CopyFailed, type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { databaseLoad, requireEmpty, type tableLoader } from "../../platform/backup/DatabaseLoad.ts"
import { type Header, type Manifest, objects_folder, tables_folder } from "../../platform/backup/Manifest.ts"
import { loadObject } from "../../platform/backup/ObjectsLoad.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import { migrations } from "../../platform/sql/DatabaseLive.ts"
import { migrate, newestMigration, restore_lock_key } from "../../platform/sql/Migrations.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { counted, reporter } from "./Backup.ts"
import { refuseLaterCheckpoints } from "./LaterCheckpoints.ts"
import { recordRestore, restoredCopiesRepo } from "./RestoredCopiesRepo.ts"

/** A backup file that was read completely and found to be complete. */
export interface Checked {
  readonly file: string
  readonly unlock: Unlock
  readonly header: Header
  readonly manifest: Manifest
}

/** Reads the whole backup first, and checks that this version can restore it with the keys of this installation. */
export const inspectBackup = Effect.fn("Restore.inspect")(function* (file: string, unlock: Unlock) {
  const header = yield* headerOf(file, unlock)
  if (header.program.startsWith("0.")) {
    return yield* TransferRefused.of(
      `The backup was made by version ${header.program}, before 1.0.0: restore it with that version.`
    )
  }
  if (header.organization !== undefined) {
    return yield* TransferRefused.of(`${file} holds one organization, not an installation: use organization import.`)
  }
  const needed = header.migrations.at(-1)?.id ?? 0
  const newest = yield* newestMigration(migrations)
  if (needed > newest) {
    return yield* TransferRefused.of(
      `The backup has migration ${needed} of version ${header.program}, this program only ${newest}: install a newer version.`
    )
  }
  yield* requireKeys(header)
  yield* Console.error(`Checking the backup of ${header.created_at}, made by version ${header.program} ...`)
  const checked: Checked = { file, unlock, header, manifest: yield* checkBackup(file, unlock) }
  return checked
})

/** Without the keys of the original installation, secrets cannot be decrypted, and signatures cannot be verified. */
const requireKeys = Effect.fnUntraced(function* (header: Header) {
  const own = yield* installationKeys
  const secret = header.secret_keys.filter((id) => !own.secret_keys.includes(id))
  const signing = header.signing_keys.filter((key) => !own.signing_keys.includes(key))
  const missing = [
    ...(secret.length > 0 ? [`SECRET_KEY (or DATA_DIR/secret.key) with the id ${secret.join(", ")}`] : []),
    ...(signing.length > 0 ? [`SIGNING_KEY (or DATA_DIR/signing.key) with the public key ${signing.join(", ")}`] : [])
  ]
  if (missing.length > 0)
    return yield* TransferRefused.of(`The backup needs the keys of its installation: ${missing.join(" and ")}.`)
})

/** Keeps every service from starting on the database until the scope ends. */
export const lockDatabase = Effect.fn("Restore.lockDatabase")(function* (connection: Connection) {
  const session = yield* copySession(connection)
  yield* session.begin()
  yield* session.run(`select pg_advisory_xact_lock(${restore_lock_key})`)
})

/** Creates the tables of the backup's version in an empty database. */
export const prepareDatabase = Effect.fn("Restore.prepare")(function* (connection: Connection, { header }: Checked) {
  const session = yield* copySession(connection)
  yield* requireEmpty(session, header)
  yield* migrate(migrations, header.migrations.at(-1)?.id)
  yield* requireSameMigrations(session, header)
}, Effect.scoped)

/**
 * Restores a backup into a prepared database and an empty storage. The rows are committed once all objects are stored
 * and every table equals the backup; then newer migrations run, and every audit chain and seal is proven. Without
 * `resume`, background work is held.
 */
export const restoreBackup = Effect.fn("Restore.restore")(function* (
  connection: Connection,
  checked: Checked,
  resume: boolean
) {
  const { header, manifest } = checked
  yield* load(yield* copySession(connection), checked, resume)
  const later = yield* migrate(migrations)
  if (resume) yield* (yield* restoredCopiesRepo).resume
  const { chained, organizations } = yield* Integrity
  const unproven = yield* proveAll(yield* Effect.catchTag(organizations, "StorageUnavailable", () => chained))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return {
    created_at: header.created_at,
    rows,
    objects: manifest.objects.count,
    missing_objects: manifest.missing_objects,
    migrations_applied: later.length,
    background_work: resume ? "resumed" : "held until: npm run admin -- resume",
    unproven
  }
}, Effect.scoped)

const load = Effect.fnUntraced(function* (session: CopySession, checked: Checked, resume: boolean) {
  const database = yield* databaseLoad(session, checked.manifest)
  yield* loadEntries(checked, database, refuseLaterCheckpoints(session))
  yield* Console.error("Comparing every table with the backup ...")
  // If the restore stops after this commit, a service may start on the rows, so they are held by the same commit.
  yield* database.finish(recordRestore(session, resume))
}, Effect.scoped)

/** Loads the tables, runs `beforeObjects` in the same transaction, and then stores the objects. */
export const loadEntries = Effect.fnUntraced(function* (
  { file, manifest, unlock }: Checked,
  database: ReturnType<typeof tableLoader>,
  beforeObjects: Effect.Effect<void, CopyFailed | TransferRefused | StorageUnavailable, Checkpoints>
) {
  const endTables = yield* Effect.cached(Effect.andThen(database.endCurrent, beforeObjects))
  const report = yield* reporter("object")
  let current = ""
  let objects = 0
  yield* Stream.runForEach(
    readBackup(file, unlock),
    Effect.fnUntraced(function* (entry) {
      const [folder, name = ""] = entry.name.split("/")
      if (folder === tables_folder) {
        if (name !== current) yield* announce(manifest, name)
        current = name
        return yield* database.load(name, entry)
      }
      if (folder !== objects_folder) return yield* Stream.runDrain(entry.bytes)
      yield* endTables
      yield* loadObject(entry.name.slice(objects_folder.length + 1), entry)
      yield* report(++objects)
    })
  )
  yield* endTables
}, Effect.scoped)

const announce = ({ tables }: Manifest, table: string) => {
  const rows = tables.find(({ name }) => name === table)?.rows ?? 0
  return rows > 0 ? Console.error(`${table}: ${counted(rows, "row")}`) : Effect.void
}

/** An edited migration could make other tables than those of the backup. */
const requireSameMigrations = Effect.fnUntraced(function* (session: CopySession, { migrations, program }: Header) {
  const applied = new Map((yield* migrationsOf(session)).map(({ id, sha256 }) => [id, sha256]))
  const other = migrations.find(({ id, sha256 }) => applied.get(id) !== sha256)
  if (other === undefined && applied.size === migrations.length) return
  return yield* TransferRefused.of(
    `The backup was made by version ${program} with another migration ${other?.id ?? ""}: restore it with that version.`
  )
})

/** Proves organizations whose rows are committed, and returns those that did not pass their proof. */
export const proveAll = Effect.fnUntraced(function* (organizations: ReadonlyArray<OrganizationId>) {
  yield* Console.error(`Proving the books of ${counted(organizations.length, "organization")} ...`)
  return yield* Effect.filter(organizations, (id) => Effect.map(passesProof(id), (isProven) => !isProven))
})

const passesProof = Effect.fnUntraced(
  function* (organization_id: OrganizationId) {
    yield* (yield* Integrity).prove(organization_id)
    const { record } = yield* (yield* Proofs).read(organization_id)
    return record?.state === "passed"
  },
  // The command must not fail here, because nobody could repeat it after the commit.
  (proof, organization_id) =>
    Effect.catchTag(proof, "StorageUnavailable", ({ message }) =>
      Effect.as(Console.error(`Organization ${organization_id} is not proven: ${message}`), false)
    )
)
