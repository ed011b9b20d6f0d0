import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { ArchiveObject } from "./ArchiveObject.ts"
import { NewTransmission, Transmission } from "./Transmission.ts"

/** A recorded transmission, with the path of its bytes in an export. */
const Told = Schema.Struct({
  ...Transmission.fields,
  position: Schema.Int,
  object_kind: Schema.NullOr(ArchiveObject.fields.object_kind),
  sha256: Schema.NullOr(Schema.String),
  object_key: Schema.NullOr(Schema.String)
})
export type RecordedTransmission = typeof Told.Type

export class TransmissionsRepo extends Context.Service<TransmissionsRepo>()(
  "invoicing/archive/objects/TransmissionsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const auditLog = yield* AuditLog

      const record = Effect.fn("TransmissionsRepo.record")(function* (transmission: NewTransmission, entry: Entry) {
        return yield* auditLog.write(
          sql`
            written as (
              insert into archive_transmissions ${sql.insert({ ...transmission })}
              on conflict (organization_id, id) do nothing returning id)`,
          entry
        )
      }, Effect.orDie)

      const decode = Schema.decodeUnknownEffect(Schema.Array(Told))

      const part = Effect.fn("TransmissionsRepo.part")(function* (
        organization_id: OrganizationId,
        { after, limit }: ListPart
      ) {
        return yield* decode(
          yield* sql`
            select t.position, t.id, t.at, t.direction, t.network, t.environment, t.type, t.code, t.reference,
              t.document_type, t.document_id, t.number, t.object_id::text, o.object_kind, o.sha256, o.object_key
            from archive_transmissions t
            left join archive_objects o on o.organization_id = t.organization_id and o.id = t.object_id
            where t.organization_id = ${organization_id} and t.position > ${after}
            order by t.position limit ${limit}`
        )
      }, Effect.orDie)

      const decodeRecorded = Schema.decodeUnknownEffect(Schema.Array(NewTransmission))

      const facts = Effect.fn("TransmissionsRepo.facts")(function* (
        organization_id: OrganizationId,
        ids: ReadonlyArray<string>
      ) {
        if (ids.length === 0) return []
        const rows = yield* sql`
          select organization_id, id, at, direction, network, environment, type, code, reference, document_type,
            document_id, number, object_id::text
          from archive_transmissions where organization_id = ${organization_id} and ${sql.in("id", ids)}`
        return (yield* decodeRecorded(rows)).map(transmissionFacts)
      }, Effect.orDie)

      return { record, part, facts }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The data of the audit entry about a transmission: all its fields except the organization. */
export const transmissionFacts = (transmission: NewTransmission) => {
  const { id: transmission_id, ...facts } = Struct.omit(transmission, ["organization_id"])
  return { transmission_id, ...facts }
}
