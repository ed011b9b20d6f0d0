import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { AppliedMigration, SequenceValue } from "./Catalogue.ts"

export const backup_format = 1

/** Present only in a backup of a single organization. The import matches its members with existing users by email. */
const MovedOrganization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  users: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      name: Schema.String,
      email: Schema.String,
      language: Schema.NullOr(Schema.String),
      is_disabled: Schema.Boolean
    })
  )
})
export type MovedOrganization = typeof MovedOrganization.Type

/** The first entry of a backup, with the requirements for restoring it. */
export const Header = Schema.Struct({
  format: Schema.Int,
  created_at: Timestamp,
  program: Schema.String,
  postgresql: Schema.String,
  migrations: Schema.Array(AppliedMigration),
  /** Ids of the keys that decrypt the sealed texts in the database. The keys themselves are not in the backup. */
  secret_keys: Schema.Array(Schema.String),
  /** Public keys that verify the signatures of the installation that made the backup. */
  signing_keys: Schema.Array(Schema.String),
  organization: Schema.optionalKey(MovedOrganization)
})
export type Header = typeof Header.Type

const TableRecord = Schema.Struct({
  name: Schema.String,
  columns: Schema.Array(Schema.String),
  rows: Schema.Int,
  /** SHA-256 of the rows in COPY's text format, in the order that `Catalogue.ts` gives them. */
  sha256: Schema.String
})
export type TableRecord = typeof TableRecord.Type

const ObjectsRecord = Schema.Struct({
  count: Schema.Int,
  bytes: Schema.Int,
  /** SHA-256 of the keys, sizes and bytes of all objects in the order of the backup. */
  sha256: Schema.String
})

/** The last entry of a backup, which proves that the backup is complete. */
export const Manifest = Schema.Struct({
  tables: Schema.Array(TableRecord),
  sequences: Schema.Array(SequenceValue),
  objects: ObjectsRecord,
  /** Number of objects to which rows of the backup refer, but which the storage did not have. */
  missing_objects: Schema.Int,
  missing: Schema.Array(Schema.String)
})
export type Manifest = typeof Manifest.Type

export const header_entry = "backup.json"
export const manifest_entry = "manifest.json"
export const tables_folder = "tables"
export const objects_folder = "objects"
