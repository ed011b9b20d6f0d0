import { Effect, Schema } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { type Lock, writeBackup } from "../../platform/backup/BackupFile.ts"
import { copySession, type CopySession } from "../../platform/backup/CopySession.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import {
  Header,
  header_entry,
  Manifest,
  manifest_entry,
  type MovedOrganization
} from "../../platform/backup/Manifest.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import { addObjects, addTables, addText, headerOf } from "../backup/Backup.ts"
import { departOrganization, waitingJobs } from "./Departure.ts"
import { movedTables } from "./MovedTables.ts"

const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeManifest = Schema.encodeEffect(Schema.fromJsonString(Manifest))

/**
 * Exports an organization while the service runs. The file has the format of a backup. A final export ends the
 * background work of the organization in this installation.
 */
export const exportOrganization = Effect.fn("OrganizationExport.create")(function* (
  connection: Connection,
  program: string,
  organization_id: OrganizationId,
  file: string,
  lock: Lock,
  isFinal: boolean
) {
  if (isFinal) yield* departOrganization(connection, organization_id)
  const session = yield* copySession(connection)
  yield* session.begin("isolation level repeatable read, read only")
  const organization = yield* organizationOf(session, organization_id)
  const writer = yield* writeBackup(file, lock)
  const header: Header = { ...(yield* headerOf(session, program)), organization }
  yield* addText(writer, header_entry, yield* Effect.orDie(encodeHeader(header)))
  const tables = yield* movedTables(session, organization_id)
  const dumped = yield* addTables(writer, session, tables)
  const stored = yield* addObjects(writer, session, tables, [organization_id])
  const manifest = { tables: dumped, sequences: [], ...stored }
  yield* addText(writer, manifest_entry, yield* Effect.orDie(encodeManifest(manifest)))
  const waiting_jobs = yield* waitingJobs(session, organization_id)
  yield* writer.finish
  const { created_at, signing_keys } = header
  const { missing, missing_objects } = stored
  const rows = dumped.reduce((sum, table) => sum + table.rows, 0)
  const { name, users } = organization
  const counts = { rows, objects: stored.objects.count, users: users.length, missing_objects, waiting_jobs }
  return { file, created_at, organization_id, name, ...counts, missing, signing_keys }
}, Effect.scoped)

const organizationOf = Effect.fnUntraced(function* (session: CopySession, id: OrganizationId) {
  const Named = Schema.Struct({ name: Schema.String })
  const [found] = yield* session.rows(Named, `select name from organizations where id = ${id}`)
  if (found === undefined) return yield* TransferRefused.of(`There is no organization ${id}.`)
  const users = yield* session.rows(
    User,
    `select u.id, u.name, u.email, u.language, u.disabled_at is not null as is_disabled
     from members m join users u on u.id = m.user_id where m.organization_id = ${id} order by u.id`
  )
  const organization: MovedOrganization = { id, name: found.name, users }
  return organization
})

/** A member of the organization. The driver returns `bigint` columns as text. */
const User = Schema.Struct({
  id: Schema.FiniteFromString,
  name: Schema.String,
  email: Schema.String,
  language: Schema.NullOr(Schema.String),
  is_disabled: Schema.Boolean
})
