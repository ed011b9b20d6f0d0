import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExportId, OrganizationId } from "../../kernel/Ids.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { BlobKey } from "../../platform/storage/BlobStore.ts"
import { describeFilters, Export } from "./Export.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"

export const ExportKey = Schema.Struct({ organization_id: OrganizationId, id: ExportId })
export type ExportKey = typeof ExportKey.Type

/** The row of an export in the database: all fields of `Export` except the download URL, and some internal ones. */
export const ExportFacts = Schema.Struct({
  ...Struct.omit(Export.fields, ["download_url"]),
  organization_id: OrganizationId,
  /** Position in the archive of the last object that the export may contain. */
  through_position: Schema.Int,
  /** The storage key of the ZIP. Each start of the job writes to a new key. */
  object_key: BlobKey,
  /** The storage keys of earlier starts of the job. Their ZIP files must be removed. */
  abandoned_keys: Schema.Array(BlobKey),
  sha256: Schema.NullOr(Schema.String)
})
export type ExportFacts = typeof ExportFacts.Type

type Built = Pick<
  ExportFacts,
  | "object_count"
  | "missing_object_count"
  | "file_size_bytes"
  | "manifest_sha256"
  | "sha256"
  | "completed_at"
  | "expires_at"
>

const Batch = Schema.Struct({ at: Timestamp, limit: Schema.Int })

export class ExportsRepo extends Context.Service<ExportsRepo>()("invoicing/archive/exports/ExportsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const auditLog = yield* AuditLog
    const columns = sql.literal(Struct.keys(ExportFacts.fields).join(", "))
    const own = ({ id, organization_id }: typeof ExportKey.Encoded) =>
      sql`organization_id = ${organization_id} and id = ${id}`
    const isActive = sql.literal("status in ('pending', 'building')")

    const find = SqlSchema.findOneOption({
      Request: ExportKey,
      Result: ExportFacts,
      execute: (key) => sql`select ${columns} from archive_exports where ${own(key)}`
    })

    /** False while another export of the organization is active, even if both were requested at once. */
    const insert = Effect.fn("ExportsRepo.insert")(function* (facts: ExportFacts, entry: Entry) {
      const { filters, id, object_key, organization_id, through_position } = facts
      const order = { id, organization_id, status: "pending", filters: sql.json(yield* describeFilters(filters)) }
      const { created_at, object_count } = facts
      const row = { ...order, through_position, object_count, object_key, created_at }
      return yield* auditLog.write(
        sql`
          written as (
            insert into archive_exports ${sql.insert(row)}
            on conflict (organization_id) where ${isActive} do nothing returning id)`,
        entry
      )
    }, Effect.orDie)

    /**
     * Stores the key of the ZIP that the job writes in this start, so that an earlier start can no longer complete the
     * export. Returns none if the export has ended.
     */
    const start = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...ExportKey.fields, object_key: BlobKey }),
      Result: ExportFacts,
      execute: ({ object_key, ...key }) => sql`
        update archive_exports set status = 'building', object_key = ${object_key},
          abandoned_keys = case status when 'building' then abandoned_keys || object_key else abandoned_keys end
        where ${own(key)} and ${isActive} returning ${columns}`
    })

    /** False if the export has ended, or another start of its job has replaced this one. */
    const complete = Effect.fn("ExportsRepo.complete")(function* (
      { object_key, ...key }: Pick<ExportFacts, "organization_id" | "id" | "object_key">,
      built: Built,
      entry: Entry
    ) {
      return yield* auditLog.write(
        sql`
          written as (
            update archive_exports set status = 'completed', ${sql.update(built)}
            where ${own(key)} and ${isActive} and object_key = ${object_key} returning id)`,
        entry
      )
    }, Effect.orDie)

    const fail = Effect.fn("ExportsRepo.fail")(function* (key: ExportKey, error: string, entry: Entry) {
      return yield* auditLog.write(
        sql`
          written as (
            update archive_exports set status = 'failed', error = ${error}
            where ${own(key)} and ${isActive} returning id)`,
        entry
      )
    }, Effect.orDie)

    const expire = Effect.fn("ExportsRepo.expire")(function* (key: ExportKey, entry: Entry) {
      return yield* auditLog.write(
        sql`
          written as (
            update archive_exports set status = 'expired' where ${own(key)} and status = 'completed' returning id)`,
        entry
      )
    }, Effect.orDie)

    /** Finds completed exports of all organizations that have expired. */
    const expiring = SqlSchema.findAll({
      Request: Batch,
      Result: ExportKey,
      execute: ({ at, limit }) => sql`
        select organization_id, id from archive_exports
        where status = 'completed' and expires_at <= ${at}::timestamptz order by expires_at limit ${limit}`
    })

    /** Finds ended exports of all organizations whose ZIP may still be stored. */
    const removable = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int }),
      Result: Schema.Struct(Struct.pick(ExportFacts.fields, ["organization_id", "id", "object_key", "abandoned_keys"])),
      execute: ({ limit }) => sql`
        select organization_id, id, object_key, abandoned_keys from archive_exports
        where status in ('failed', 'expired') and removed_at is null order by id limit ${limit}`
    })

    const markRemoved = Effect.fn("ExportsRepo.markRemoved")(function* (key: ExportKey, at: Timestamp) {
      yield* sql`update archive_exports set removed_at = ${at}::timestamptz where ${own(key)}`
    }, Effect.orDie)

    /** Finds active exports of all organizations that were requested before `at`, in the order of their ids. */
    const unended = SqlSchema.findAll({
      Request: Schema.Struct({ ...Batch.fields, after: Schema.Int }),
      Result: ExportKey,
      execute: ({ after, at, limit }) => sql`
        select organization_id, id from archive_exports
        where ${isActive} and created_at < ${at}::timestamptz and id > ${after} order by id limit ${limit}`
    })

    return {
      ...traced("ExportsRepo", { find, start, expiring, removable, unended }),
      nextId: nextIdOf(sql, "archive_exports", ExportId),
      insert,
      complete,
      fail,
      expire,
      markRemoved
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
