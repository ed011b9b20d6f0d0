import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { ChainKey } from "../RecordsRepo.ts"
import { event_types } from "./KeptEvent.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const Type = Schema.Literals(event_types)

export const StoredEvent = Schema.Struct({
  position: Schema.Int,
  type: Type,
  generated_at: Timestamp,
  record_position: Schema.Int,
  finding: Schema.NullOr(Schema.String),
  hash: Schema.String,
  xml: Schema.String
})
export type StoredEvent = typeof StoredEvent.Type

const { position } = StoredEvent.fields

/** A part of a chain: the positions after `after`, up to and including `last`. */
export const ChainPart = Schema.Struct({ ...ChainKey.fields, after: Schema.Int, last: Schema.Int })

/** Selects the records or events of a period. `from` and `until` are days in `timezone`. */
export const ChainPeriod = Schema.Struct({
  ...ChainKey.fields,
  from: Schema.String,
  until: Schema.String,
  timezone: Schema.String
})

/** Every SQL statement names an organization, except the one about restores, which concern the whole installation. */
export class RecordEventsRepo extends Context.Service<RecordEventsRepo>()(
  "invoicing/einvoicing/verifactu/kept/RecordEventsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const all = sql.literal(Struct.keys(StoredEvent.fields).join(", "))

      const insert = SqlSchema.void({
        Request: Schema.Struct({ ...ChainKey.fields, ...StoredEvent.fields }),
        execute: (row) => sql`insert into verifactu_events ${sql.insert(row)}`
      })

      const latest = SqlSchema.findOneOption({
        Request: ChainKey,
        Result: StoredEvent,
        execute: ({ environment, organization_id }) => sql`
          select ${all} from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment}
          order by position desc limit 1`
      })

      const latestOf = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...ChainKey.fields, types: Schema.Array(Type) }),
        Result: StoredEvent,
        execute: ({ environment, organization_id, types }) => sql`
          select ${all} from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment} and ${sql.in("type", types)}
          order by position desc limit 1`
      })

      const latestRestore = SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ at: Schema.NullOr(Timestamp) }),
        execute: () => sql`select max(restored_at) as at from restorations`
      })

      const isFound = SqlSchema.findAll({
        Request: Schema.Struct({ ...ChainKey.fields, finding: Schema.String }),
        Result: Schema.Struct({ position }),
        execute: ({ environment, finding, organization_id }) => sql`
          select position from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment} and finding = ${finding}`
      })

      const countsAfter = SqlSchema.findAll({
        Request: Schema.Struct({ ...ChainKey.fields, position }),
        Result: Schema.Struct({ type: Type, count: Schema.Int }),
        execute: ({ environment, organization_id, position }) => sql`
          select type, count(*) as count from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment} and position > ${position}
          group by type`
      })

      const within = SqlSchema.findAll({
        Request: Schema.Struct({ ...ChainPart.fields, limit: Schema.Int }),
        Result: StoredEvent,
        execute: ({ after, environment, last, limit, organization_id }) => sql`
          select ${all} from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment}
            and position > ${after} and position <= ${last}
          order by position limit ${limit}`
      })

      const bounds = SqlSchema.findOne({
        Request: ChainPeriod,
        Result: Schema.Struct({ first: Schema.NullOr(Schema.Int), last: Schema.NullOr(Schema.Int), count: Schema.Int }),
        execute: ({ environment, from, organization_id, timezone, until }) => sql`
          select min(position) as first, max(position) as last, count(*) as count from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment}
            and (generated_at at time zone ${timezone})::date between ${from}::date and ${until}::date`
      })

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ ...ChainKey.fields, limit: Schema.Int, offset: Schema.Int }),
        Result: StoredEvent,
        execute: ({ environment, limit, offset, organization_id }) => sql`
          select ${all} from verifactu_events
          where organization_id = ${organization_id} and environment = ${environment}
          order by position desc limit ${limit} offset ${offset}`
      })

      return {
        ...traced("RecordEventsRepo", { insert, latest, latestOf, isFound, countsAfter, within, bounds, list }),
        latestRestore: latestRestore(undefined).pipe(Effect.orDie, Effect.withSpan("RecordEventsRepo.latestRestore"))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
