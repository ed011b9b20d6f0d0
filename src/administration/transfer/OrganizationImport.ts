import { Console, Effect, Schema } from "effect"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { checkBackup, headerOf } from "../../platform/backup/BackupCheck.ts"
import type { Unlock } from "../../platform/backup/BackupFile.ts"
import { migrationsOf } from "../../platform/backup/Catalogue.ts"
import { type CopyFailed, type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { requireSameRows, requireSameTables, tableLoader } from "../../platform/backup/DatabaseLoad.ts"
import type { Header, MovedOrganization } from "../../platform/backup/Manifest.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import { type Checked, loadEntries, proveAll } from "../backup/Restore.ts"
import { raiseSequences, requireLowerIds } from "./Ids.ts"
import { moveMembers } from "./MovedMembers.ts"
import { resealSecrets } from "./MovedSecrets.ts"
import { movedTables } from "./MovedTables.ts"
import { requireReferences } from "./References.ts"

interface CheckedOrganization extends Checked {
  readonly organization: MovedOrganization
}

export const inspectOrganization = Effect.fn("OrganizationImport.inspect")(function* (file: string, unlock: Unlock) {
  const header = yield* headerOf(file, unlock)
  const { created_at, organization, program } = header
  if (organization === undefined) {
    return yield* TransferRefused.of(`${file} is a backup of a whole installation: use restore.`)
  }
  yield* requireTrust(header)
  yield* Console.error(`Checking the export of ${created_at}, made by version ${program} ...`)
  const checked: CheckedOrganization = {
    file,
    unlock,
    header,
    organization,
    manifest: yield* checkBackup(file, unlock)
  }
  return checked
})

/** This installation must already trust the keys in the file, because a forged file has the forger's keys. */
const requireTrust = Effect.fnUntraced(function* ({ signing_keys }: Header) {
  const known = [...(yield* installationKeys).signing_keys, ...(yield* AppConfig).trustedSigningKeys]
  const unknown = signing_keys.filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  return yield* TransferRefused.of(
    `Compare the public key of the other installation and set TRUSTED_SIGNING_KEYS=${unknown.join(",")} in all processes.`
  )
})

/**
 * Adds the organization to a running installation. Records keep their ids, which the audit chain contains, so the
 * import is refused if an id is in use. All rows are committed together, after they were compared with the file.
 */
export const importOrganization = Effect.fn("OrganizationImport.import")(function* (
  connection: Connection,
  checked: CheckedOrganization
) {
  const { header, manifest, organization } = checked
  const { id } = organization
  const session = yield* copySession(connection)
  yield* requireSameVersion(session, header)
  const tables = yield* movedTables(session, id)
  yield* requireSameTables(manifest, tables)
  yield* session.begin()
  yield* withoutTriggers(session)
  yield* requireUnknown(session, id)
  yield* loadEntries(checked, tableLoader(session, manifest), requireLowerIds(session, tables)).pipe(
    Effect.catchTag("CopyFailed", (failure) => Effect.fail(explainConflict(failure)))
  )
  yield* Console.error("Comparing every table with the export ...")
  for (const table of tables) yield* requireSameRows(session, manifest, table)
  const accounts = yield* moveMembers(session, tables, organization)
  const left_out = yield* resealSecrets(session, id)
  yield* requireReferences(session, tables)
  // The operator archived the organization before the export, so that only this copy of it is changed from now on.
  yield* session.run(`update organizations set archived_at = null, moved_at = null where id = ${id}`)
  yield* raiseSequences(session, tables)
  const users = Object.fromEntries(accounts.map(({ from, to }) => [`user:${from}`, `user:${to}`]))
  const data = { exported_at: header.created_at, signing_keys: [...header.signing_keys], users }
  const { statement } = yield* AuditLog
  yield* session.run(
    ...(yield* statement({ organization_id: id, actor: "admin", action: "organization.imported", data }))
  )
  yield* session.run("commit")

  const unproven = yield* proveAll([id])
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const { missing_objects, objects } = manifest
  const counts = { rows, objects: objects.count, missing_objects }
  return { organization_id: id, name: organization.name, ...counts, accounts, left_out, unproven }
}, Effect.scoped)

const requireSameVersion = Effect.fnUntraced(function* (session: CopySession, { migrations, program }: Header) {
  const own = yield* migrationsOf(session)
  const isSame = (index: number) => migrations[index]?.sha256 === own[index]?.sha256
  if (migrations.length === own.length && own.every((_, index) => isSame(index))) return
  return yield* TransferRefused.of(
    `The export of version ${program} has other migrations than this installation: bring both to the same version first.`
  )
})

/**
 * Turns off triggers and foreign keys: the file already contains the rows that triggers would write, and the tables
 * refer to each other in both directions.
 */
const withoutTriggers = (session: CopySession) =>
  session
    .run("set local session_replication_role = replica")
    .pipe(
      Effect.mapError(() =>
        TransferRefused.of(
          "The import must switch triggers off: connect as a superuser, or grant set on parameter session_replication_role."
        )
      )
    )

const requireUnknown = Effect.fnUntraced(function* (session: CopySession, id: number) {
  const Found = Schema.Struct({ found: Schema.Boolean })
  const [row] = yield* session.rows(
    Found,
    `select exists (select from journals where organization_id = ${id}) as found`
  )
  if (row?.found !== true) return
  return yield* TransferRefused.of(`The installation has an organization ${id} already. ${ids_remedy}`)
})

const ids_remedy =
  "An organization keeps its ids, so give each installation its own range before it is used: organization id-range."

const explainConflict = (failure: CopyFailed) => {
  const [, constraint] = /duplicate key value violates unique constraint "(\w+)"/.exec(failure.message) ?? []
  if (constraint === undefined) return failure
  return TransferRefused.of(
    `The installation has a row with the key of an imported one already (${constraint}). ${ids_remedy}`
  )
}
