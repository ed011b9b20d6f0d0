import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { purge } from "../../platform/sql/statements/Purge.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Entity = Schema.Struct({
  account: Schema.Int,
  provider: ProviderCode,
  legal_name: Schema.String,
  country_code: CountryCode,
  acts_as_sender: Schema.Boolean,
  acts_as_receiver: Schema.Boolean,
  document_types: Schema.Array(DocumentType),
  routable_from: Schema.NullOr(Day)
})
export type Entity = typeof Entity.Type

const Address = Schema.Struct({ scheme: Schema.String, value: Schema.String })

const Taken = Schema.Struct({
  transmission_id: Schema.String,
  reference: Schema.String,
  accepted_at: Timestamp,
  sender: Schema.String,
  number: Schema.String,
  document_type: DocumentType,
  sha256: Schema.String
})

const Message = Schema.Struct({
  id: Schema.String,
  transmission_id: Schema.String,
  position: Schema.Int,
  at: Timestamp,
  code: Schema.String,
  source: Schema.Literals(["network", "recipient", "authority"]),
  progress: Schema.NullOr(Schema.Literals(["submitted", "sent", "delivered", "accepted", "rejected", "failed"])),
  reason: Schema.NullOr(Schema.String),
  receipt_type: Schema.String,
  receipt: Schema.Uint8Array
})

const Arrival = Schema.Struct({
  transmission_id: Schema.String,
  network: ProviderCode,
  account: Schema.Int,
  document: Schema.Uint8Array,
  at: Timestamp
})

const Answered = Schema.Struct({
  transmission_id: Schema.String,
  account: Schema.Int,
  answer: Schema.Literals(["accepted", "rejected"])
})

/** Maximum number of received documents that one query returns. */
const arrivals_max = 100

/** The first key of the advisory locks of document numbers. */
const numbers_lock = 51

/** Days for which a transmission is kept, twice as long as it is polled. Afterwards, its number can be sent again. */
const transmission_days = 180

export class SimulatorRepo extends Context.Service<SimulatorRepo>()("invoicing/einvoicing/sandbox/SimulatorRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const columns = sql.literal(
      Struct.keys(Entity.fields)
        .map((name) => (name === "routable_from" ? "routable_from::text" : name))
        .join(", ")
    )

    const findEntity = SqlSchema.findOneOption({
      Request: Address,
      Result: Entity,
      execute: ({ scheme, value }) => sql`
          select ${columns} from network_entities where account = (
            select account from network_addresses where scheme = ${scheme} and value = ${value})`
    })

    const saveEntity = SqlSchema.void({
      Request: Entity,
      execute: ({ document_types, ...row }) => sql`
          insert into network_entities ${sql.insert({ ...row, document_types: sql.json(document_types) })}
          on conflict (account) do update set
            provider = excluded.provider, legal_name = excluded.legal_name, country_code = excluded.country_code,
            acts_as_sender = excluded.acts_as_sender, acts_as_receiver = excluded.acts_as_receiver,
            document_types = excluded.document_types, routable_from = excluded.routable_from`
    })

    const dropAddresses = SqlSchema.void({
      Request: Schema.Int,
      execute: (account) => sql`delete from network_addresses where account = ${account}`
    })

    /** Inserts an address; None when another entity has it. */
    const addAddress = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Address.fields, account: Schema.Int }),
      Result: Address,
      execute: (row) =>
        sql`insert into network_addresses ${sql.insert(row)} on conflict do nothing returning scheme, value`
    })

    const dropEntity = SqlSchema.void({
      Request: Schema.Struct(Struct.pick(Entity.fields, ["account", "provider"])),
      execute: ({ account, provider }) =>
        sql`delete from network_entities where account = ${account} and provider = ${provider}`
    })

    const countAttempt = SqlSchema.findOne({
      Request: Schema.String,
      Result: Schema.Struct({ attempts: Schema.Int }),
      execute: (transmission_id) => sql`
          insert into network_transmissions (transmission_id, attempts) values (${transmission_id}, 1)
          on conflict (transmission_id) do update set attempts = network_transmissions.attempts + 1 returning attempts`
    })

    const lockAttempted = SqlSchema.findOne({
      Request: Schema.String,
      Result: Schema.Struct({ reference: Schema.NullOr(Schema.String), accepted_at: Schema.NullOr(Timestamp) }),
      execute: (transmission_id) => sql`
          select reference::text, accepted_at from network_transmissions
          where transmission_id = ${transmission_id} for update`
    })

    const lockNumber = SqlSchema.void({
      Request: Schema.Struct(Struct.pick(Taken.fields, ["sender", "number"])),
      execute: ({ number, sender }) =>
        sql`select pg_advisory_xact_lock(${numbers_lock}, hashtext(${`${sender} ${number}`}))`
    })

    const findLive = SqlSchema.findOneOption({
      Request: Schema.Struct({
        ...Struct.pick(Taken.fields, ["transmission_id", "sender", "number", "document_type"]),
        until: Timestamp
      }),
      Result: Schema.Struct({ reference: Schema.String }),
      execute: ({ document_type, number, sender, transmission_id, until }) => sql`
          select reference::text from network_transmissions t
          where sender = ${sender} and number = ${number} and document_type = ${document_type}
            and accepted_at is not null and transmission_id <> ${transmission_id}
            and not exists (
              select from network_messages m
              where m.transmission_id = t.transmission_id and m.progress in ('rejected', 'failed') and m.at <= ${until})
          limit 1`
    })

    const take = SqlSchema.void({
      Request: Taken,
      execute: ({ transmission_id, ...taken }) => sql`
          update network_transmissions set ${sql.update(taken)} where transmission_id = ${transmission_id}`
    })

    const say = SqlSchema.void({
      Request: Message,
      execute: (message) => sql`insert into network_messages ${sql.insert(message)} on conflict (id) do nothing`
    })

    const said = SqlSchema.findAll({
      Request: Schema.Struct({ transmission_id: Schema.String, until: Timestamp }),
      Result: Message,
      execute: ({ transmission_id, until }) => sql`
          select id::text, transmission_id::text, position, at, code, source, progress, reason, receipt_type, receipt
          from network_messages
          where transmission_id = ${transmission_id} and at <= ${until} order by position`
    })

    const keepArrival = SqlSchema.void({
      Request: Arrival,
      execute: (arrival) => sql`insert into network_inbox ${sql.insert(arrival)} on conflict do nothing`
    })

    const arrivals = SqlSchema.findAll({
      Request: Schema.Struct({ network: ProviderCode, until: Timestamp }),
      Result: Arrival,
      execute: ({ network, until }) => sql`
          select transmission_id::text, network, account, document, at from network_inbox i
          where network = ${network} and at <= ${until} and collected_at is null
            and not exists (select from unread_arrivals u where u.organization_id = i.account
              and u.provider = i.network and u.transmission_id = i.transmission_id::text
              and u.retry_at > clock_timestamp())
          order by at limit ${arrivals_max}`
    })

    const confirm = SqlSchema.void({
      Request: Schema.String,
      execute: (transmission_id) =>
        sql`update network_inbox set collected_at = now() where transmission_id = ${transmission_id}`
    })

    /** Records the first answer of an account; none when the account has no such document. */
    const answer = SqlSchema.findOneOption({
      Request: Answered,
      Result: Schema.Struct({
        answer: Answered.fields.answer,
        reference: Schema.String,
        sha256: Schema.String,
        said: Schema.Int
      }),
      execute: ({ account, answer, transmission_id }) => sql`
          update network_inbox i set answer = coalesce(i.answer, ${answer}) from network_transmissions t
          where t.transmission_id = i.transmission_id and i.transmission_id = ${transmission_id}
            and i.account = ${account}
          returning i.answer, t.reference::text, t.sha256, (
            select count(*)::integer from network_messages m where m.transmission_id = i.transmission_id) as said`
    })

    return {
      ...traced("SimulatorRepo", {
        findEntity,
        saveEntity,
        dropAddresses,
        addAddress,
        dropEntity,
        countAttempt,
        /** Serializes concurrent attempts of one transmission, so that the second one sees the result of the first. */
        lockAttempted,
        lockNumber,
        findLive,
        take,
        say,
        said,
        keepArrival,
        arrivals,
        confirm,
        answer
      }),
      purge: purge(
        sql,
        "network_transmissions",
        "transmission_id",
        sql`created_at < now() - make_interval(days => ${transmission_days})`
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
