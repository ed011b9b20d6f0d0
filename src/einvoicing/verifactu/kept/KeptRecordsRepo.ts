import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { ChainKey, StoredRecord } from "../RecordsRepo.ts"
import { ChainPart, ChainPeriod } from "./RecordEventsRepo.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const KeptRecord = Schema.Struct(
  Struct.pick(StoredRecord.fields, [
    "position",
    "kind",
    "issuer",
    "number",
    "issue_date",
    "generated_at",
    "hash",
    "xml",
    "state"
  ])
)
export type KeptRecord = typeof KeptRecord.Type

const { position } = KeptRecord.fields

const Sums = Schema.Struct({
  registrations: Schema.Int,
  cancellations: Schema.Int,
  tax: Schema.String,
  total: Schema.String
})

export class KeptRecordsRepo extends Context.Service<KeptRecordsRepo>()(
  "invoicing/einvoicing/verifactu/kept/KeptRecordsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const all = sql.literal(Struct.keys(KeptRecord.fields).join(", "))

      /** Locks the chain until the transaction ends, and returns the position of its latest record. */
      const lock = SqlSchema.findOne({
        Request: ChainKey,
        Result: Schema.Struct({ position }),
        execute: ({ environment, organization_id }) => sql`
          insert into verifactu_chains (organization_id, environment) values (${organization_id}, ${environment})
          on conflict (organization_id, environment) do update set position = verifactu_chains.position
          returning position`
      })

      const within = SqlSchema.findAll({
        Request: Schema.Struct({ ...ChainPart.fields, limit: Schema.Int }),
        Result: KeptRecord,
        execute: ({ after, environment, last, limit, organization_id }) => sql`
          select ${all} from verifactu_records
          where organization_id = ${organization_id} and environment = ${environment}
            and position > ${after} and position <= ${last}
          order by position limit ${limit}`
      })

      const latest = SqlSchema.findOneOption({
        Request: ChainKey,
        Result: KeptRecord,
        execute: ({ environment, organization_id }) => sql`
          select ${all} from verifactu_records
          where organization_id = ${organization_id} and environment = ${environment}
          order by position desc limit 1`
      })

      const bounds = SqlSchema.findOne({
        Request: ChainPeriod,
        Result: Schema.Struct({ first: Schema.NullOr(position), last: Schema.NullOr(position) }),
        execute: ({ environment, from, organization_id, timezone, until }) => sql`
          select min(position) as first, max(position) as last from verifactu_records
          where organization_id = ${organization_id} and environment = ${environment}
            and (generated_at at time zone ${timezone})::date between ${from}::date and ${until}::date`
      })

      const sums = SqlSchema.findOne({
        Request: ChainPart,
        Result: Sums,
        execute: ({ after, environment, last, organization_id }) => sql`
          select count(*) filter (where kind = 'registration') as registrations,
            count(*) filter (where kind = 'cancellation') as cancellations,
            round(coalesce(sum(substring(xml from '<sf:CuotaTotal>(-?\\d+\\.\\d\\d)<')::numeric), 0), 2)::text as tax,
            round(coalesce(sum(substring(xml from '<sf:ImporteTotal>(-?\\d+\\.\\d\\d)<')::numeric), 0), 2)::text as total
          from verifactu_records
          where organization_id = ${organization_id} and environment = ${environment}
            and position > ${after} and position <= ${last}`
      })

      /** Finds the latest sent record, and returns whether any record still waits to be sent. */
      const latestSent = SqlSchema.findOneOption({
        Request: ChainKey,
        Result: Schema.Struct({ generated_at: Timestamp, is_waiting: Schema.Boolean }),
        execute: ({ environment, organization_id }) => sql`
          select generated_at, exists (
            select from verifactu_records
            where organization_id = ${organization_id} and environment = ${environment} and state = 'waiting'
          ) as is_waiting
          from verifactu_records
          where organization_id = ${organization_id} and environment = ${environment} and state <> 'kept'
          order by position desc limit 1`
      })

      return traced("KeptRecordsRepo", { lock, within, latest, bounds, sums, latestSent })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
