import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import type { Timestamp } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest } from "../../kernel/Envelope.ts"
import type { ArchiveObjectId, ExportId, OrganizationId } from "../../kernel/Ids.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { Incident, type NewIncident } from "./Incident.ts"

export interface IncidentsQuery extends PageRequest {
  /** Without an id, incidents of all organizations are listed. */
  readonly organization_id?: OrganizationId
  readonly open?: boolean
}

export class IncidentsRepo extends Context.Service<IncidentsRepo>()("invoicing/archive/integrity/IncidentsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const auditLog = yield* AuditLog
    const columns = sql.literal(Struct.keys(Incident.fields).join(", ").replace("object_id", "object_id::text"))

    const inserted = (incident: NewIncident, found_at: Timestamp) => sql`
      insert into archive_incidents ${sql.insert({ ...incident, found_at })}
      on conflict (organization_id, object_id, export_id, problem) where resolved_at is null do nothing
      returning id`

    /** Inserts an incident and its audit entry. Returns false if the same incident is open already. */
    const raise = Effect.fn("IncidentsRepo.raise")(function* (
      incident: NewIncident,
      found_at: Timestamp,
      entry: Entry
    ) {
      return yield* auditLog.write(sql`written as (${inserted(incident, found_at)})`, entry)
    }, Effect.orDie)

    /** Inserts an incident without an audit entry, because the audit chain is so broken that no entry can be added. */
    const raiseAlone = Effect.fn("IncidentsRepo.raiseAlone")(function* (incident: NewIncident, found_at: Timestamp) {
      return (yield* inserted(incident, found_at)).length > 0
    }, Effect.orDie)

    const resolveObjects = Effect.fn("IncidentsRepo.resolveObjects")(function* (
      organization_id: OrganizationId,
      ids: ReadonlyArray<ArchiveObjectId>,
      at: Timestamp
    ) {
      if (ids.length === 0) return
      yield* sql`
        update archive_incidents set resolved_at = ${at}::timestamptz
        where organization_id = ${organization_id} and resolved_at is null and ${sql.in("object_id", ids)}`
    }, Effect.orDie)

    /** Resolves the open incidents about the manifest, the books, the exchanges and the audit chain. */
    const resolveRecords = Effect.fn("IncidentsRepo.resolveRecords")(function* (
      organization_id: OrganizationId,
      at: Timestamp
    ) {
      yield* sql`
        update archive_incidents set resolved_at = ${at}::timestamptz
        where organization_id = ${organization_id} and resolved_at is null and object_id is null and export_id is null`
    }, Effect.orDie)

    const resolveExport = Effect.fn("IncidentsRepo.resolveExport")(function* (
      organization_id: OrganizationId,
      id: ExportId,
      at: Timestamp
    ) {
      yield* sql`
        update archive_incidents set resolved_at = ${at}::timestamptz
        where organization_id = ${organization_id} and resolved_at is null and export_id = ${id}`
    }, Effect.orDie)

    /** True if an incident about an archived object or about the records is open. */
    const hasDefects = Effect.fn("IncidentsRepo.hasDefects")(function* (organization_id: OrganizationId) {
      const open = yield* sql`
        select id from archive_incidents
        where organization_id = ${organization_id} and resolved_at is null and export_id is null limit 1`
      return open.length > 0
    }, Effect.orDie)

    const pages = pagesOf(Incident.fields)

    const list = Effect.fn("IncidentsRepo.list")(function* (query: IncidentsQuery) {
      const where = sql.and([
        ...conditionsOf(query, { organization_id: (id) => sql`organization_id = ${id}` }),
        ...(query.open === true ? [sql`resolved_at is null`] : [])
      ])
      return yield* pages(
        query,
        (query) => sql<Listed>`
          select ${columns}, (count(*) over ())::integer as list_total from archive_incidents
          where ${where}
          order by id desc limit ${limitOf(query)} offset ${offsetOf(query)}`
      )
    }, Effect.orDie)

    /** Counts the open incidents of all organizations, because the metrics are about the installation. */
    const countOpen = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ count: Schema.Int }),
      execute: () => sql`select count(*)::integer as count from archive_incidents where resolved_at is null`
    })

    return {
      raise,
      countOpen: countOpen().pipe(
        Effect.map(({ count }) => count),
        Effect.orDie
      ),
      raiseAlone,
      resolveObjects,
      resolveRecords,
      resolveExport,
      hasDefects,
      list
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
