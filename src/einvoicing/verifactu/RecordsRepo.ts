import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { Environment } from "../../kernel/Environment.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Identifies a chain. Records of the sandbox are never in the chain of real ones. */
export const ChainKey = Schema.Struct({ organization_id: OrganizationId, environment: Environment })
export type ChainKey = typeof ChainKey.Type

/** The states of a record. The AEAT has the `accepted` ones; `kept` ones are never sent. */
const State = Schema.Literals(["waiting", "kept", "accepted", "accepted_with_errors", "rejected"])

export const StoredRecord = Schema.Struct({
  position: Schema.Int,
  kind: Schema.Literals(["registration", "cancellation"]),
  transmission_id: Schema.String,
  issuer: Schema.String,
  issuer_name: Schema.String,
  number: Schema.String,
  issue_date: Day,
  generated_at: Timestamp,
  hash: Schema.String,
  xml: Schema.String,
  state: State,
  attempted_at: Schema.NullOr(Timestamp),
  answered_at: Schema.NullOr(Timestamp),
  reference: Schema.NullOr(Schema.String),
  code: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String),
  request: Schema.NullOr(Schema.String),
  response: Schema.NullOr(Schema.String)
})
export type StoredRecord = typeof StoredRecord.Type

const { issue_date, issuer, kind, number, position, state, transmission_id } = StoredRecord.fields

const NewRecord = Schema.Struct({
  ...ChainKey.fields,
  ...Struct.pick(StoredRecord.fields, ["position", "kind", "transmission_id", "issuer", "issuer_name", "number"]),
  ...Struct.pick(StoredRecord.fields, ["issue_date", "generated_at", "hash", "xml", "state"])
})
export type NewRecord = typeof NewRecord.Type

const AcceptedRecord = Schema.Struct({
  ...Struct.pick(StoredRecord.fields, ["issuer", "issuer_name", "number", "issue_date", "hash", "xml"]),
  is_cancelled: Schema.Boolean
})

const Verdict = Schema.Struct({
  ...ChainKey.fields,
  ...Struct.pick(StoredRecord.fields, ["position", "state", "answered_at", "reference", "code", "reason"]),
  ...Struct.pick(StoredRecord.fields, ["answer", "request", "response"])
})

const columns = `position, kind, transmission_id::text, issuer, issuer_name, number, issue_date::text, generated_at,
  hash, xml, state, attempted_at, answered_at, reference, code, reason, answer, request, response`

export class RecordsRepo extends Context.Service<RecordsRepo>()("invoicing/einvoicing/verifactu/RecordsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const all = sql.literal(columns)

    const open = SqlSchema.void({
      Request: ChainKey,
      execute: (key) => sql`insert into verifactu_chains ${sql.insert(key)} on conflict do nothing`
    })

    const lock = SqlSchema.void({
      Request: ChainKey,
      execute: ({ environment, organization_id }) => sql`
        select from verifactu_chains
        where organization_id = ${organization_id} and environment = ${environment} for update`
    })

    const advance = SqlSchema.findOne({
      Request: ChainKey,
      Result: Schema.Struct({ position }),
      execute: ({ environment, organization_id }) => sql`
        update verifactu_chains set position = position + 1
        where organization_id = ${organization_id} and environment = ${environment}
        returning position`
    })

    const at = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...ChainKey.fields, position }),
      Result: StoredRecord,
      execute: ({ environment, organization_id, position }) => sql`
        select ${all} from verifactu_records
        where organization_id = ${organization_id} and environment = ${environment} and position = ${position}`
    })

    const insert = SqlSchema.void({
      Request: NewRecord,
      execute: (row) => sql`insert into verifactu_records ${sql.insert(row)}`
    })

    const ofTransmission = SqlSchema.findAll({
      Request: Schema.Struct({ ...ChainKey.fields, transmission_id }),
      Result: StoredRecord,
      execute: ({ environment, organization_id, transmission_id }) => sql`
        select ${all} from verifactu_records
        where organization_id = ${organization_id} and environment = ${environment}
          and transmission_id = ${transmission_id}
        order by position`
    })

    const ofDocument = SqlSchema.findOneOption({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        invoice_id: Schema.NullOr(Schema.Int),
        credit_note_id: Schema.NullOr(Schema.Int)
      }),
      Result: Schema.Struct({
        environment: Environment,
        has_record: Schema.Boolean,
        is_kept: Schema.NullOr(Schema.Boolean)
      }),
      execute: ({ credit_note_id, invoice_id, organization_id }) => sql`
        select e.environment, r.position is not null as has_record,
          r.state = 'kept' and e.environment = 'production' as is_kept
        from einvoices e left join verifactu_records r on r.organization_id = e.organization_id
          and r.environment = e.environment and r.transmission_id = e.transmission_id and r.kind = 'registration'
        where e.organization_id = ${organization_id} and e.provider = 'es_verifactu'
          and (e.invoice_id = ${invoice_id} or e.credit_note_id = ${credit_note_id})
        order by e.id desc limit 1`
    })

    const latestOf = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...ChainKey.fields, issuer, number, issue_date }),
      Result: Schema.Struct({ state, kind, type: Schema.NullOr(Schema.String) }),
      execute: ({ environment, issue_date, issuer, number, organization_id }) => sql`
        select state, kind, substring(xml from '<sf:TipoFactura>([FR][1-5])<') as type from verifactu_records
        where organization_id = ${organization_id} and environment = ${environment} and issuer = ${issuer}
          and number = ${number} and issue_date = ${issue_date}
        order by position desc limit 1`
    })

    /** Finds the accepted records of documents that are dated in a month or state a supply in the month. */
    const acceptedIn = SqlSchema.findAll({
      Request: Schema.Struct({ ...ChainKey.fields, month: Schema.String }),
      Result: AcceptedRecord,
      execute: ({ environment, month, organization_id }) => sql`
        select issuer, issuer_name, number, issue_date::text, hash, xml, exists (
          select from verifactu_records c
          where c.organization_id = r.organization_id and c.environment = r.environment and c.kind = 'cancellation'
            and c.transmission_id = r.transmission_id and c.state in ('accepted', 'accepted_with_errors')
        ) as is_cancelled
        from verifactu_records r
        where organization_id = ${organization_id} and environment = ${environment} and kind = 'registration'
          and state in ('accepted', 'accepted_with_errors')
          and (to_char(issue_date, 'YYYY-MM') = ${month}
            or to_char(to_date(substring(xml from '<sf:FechaOperacion>([0-9-]+)<'), 'DD-MM-YYYY'), 'YYYY-MM') = ${month})
        order by position`
    })

    const waiting = SqlSchema.findAll({
      Request: Schema.Struct({ ...ChainKey.fields, limit: Schema.Int }),
      Result: StoredRecord,
      execute: ({ environment, limit, organization_id }) => sql`
        select ${all} from verifactu_records
        where organization_id = ${organization_id} and environment = ${environment} and state = 'waiting'
        order by position limit ${limit}`
    })

    const claim = Effect.fn("RecordsRepo.claim")(function* (
      { environment, organization_id }: ChainKey,
      { at, full, until }: { readonly at: Timestamp; readonly until: Timestamp; readonly full: number }
    ) {
      const claimed = yield* sql`
        update verifactu_chains c set leased_until = ${until}
        where organization_id = ${organization_id} and environment = ${environment}
          and (leased_until is null or leased_until <= ${at})
          and (next_send_at is null or next_send_at <= ${at} or (
            select count(*) from verifactu_records r
            where r.organization_id = c.organization_id and r.environment = c.environment and r.state = 'waiting'
          ) >= ${full})
        returning position`
      return claimed.length === 1
    }, Effect.orDie)

    const pauseOf = SqlSchema.findOneOption({
      Request: ChainKey,
      Result: Schema.Struct({ next_send_at: Schema.NullOr(Timestamp) }),
      execute: ({ environment, organization_id }) => sql`
        select next_send_at from verifactu_chains
        where organization_id = ${organization_id} and environment = ${environment}`
    })

    /** Ends the lease that expires at `until`. Does nothing if another process has taken over the chain since. */
    const release = SqlSchema.void({
      Request: Schema.Struct({ ...ChainKey.fields, until: Timestamp }),
      execute: ({ environment, organization_id, until }) => sql`
        update verifactu_chains set leased_until = null
        where organization_id = ${organization_id} and environment = ${environment}
          and leased_until = ${until}::timestamptz`
    })

    const pause = SqlSchema.void({
      Request: Schema.Struct({ ...ChainKey.fields, until: Timestamp }),
      execute: ({ environment, organization_id, until }) => sql`
        update verifactu_chains set next_send_at = ${until}
        where organization_id = ${organization_id} and environment = ${environment}`
    })

    /** Stores the attempt before the records are sent, so that after a crash it is known that they may have arrived. */
    const attempt = SqlSchema.void({
      Request: Schema.Struct({ ...ChainKey.fields, first: Schema.Int, last: Schema.Int, at: Timestamp }),
      execute: ({ at, environment, first, last, organization_id }) => sql`
        update verifactu_records set attempted_at = ${at}
        where organization_id = ${organization_id} and environment = ${environment}
          and position between ${first} and ${last} and state = 'waiting'`
    })

    const settle = SqlSchema.void({
      Request: Verdict,
      execute: ({ environment, organization_id, position, ...verdict }) => sql`
        update verifactu_records set ${sql.update(verdict)}
        where organization_id = ${organization_id} and environment = ${environment} and position = ${position}
          and state = 'waiting'`
    })

    return {
      ...traced("RecordsRepo", {
        open,
        /** Locks the chain until the transaction ends, so that its records are read after those of other processes. */
        lock,
        advance,
        at,
        insert,
        ofTransmission,
        /**
         * Finds how a document's latest submission was recorded. `is_kept` is null if the document has no record because
         * it breaks the rules of the AEAT. It is false in the sandbox, where every record has the state `kept`.
         */
        ofDocument,
        latestOf,
        acceptedIn,
        waiting,
        pauseOf,
        release,
        pause,
        attempt,
        settle
      }),
      claim
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
