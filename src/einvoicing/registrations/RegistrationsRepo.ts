import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { StoredRegistration } from "../records/Registration.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { nextIdOf } from "../../platform/sql/statements/NextId.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: RegistrationId })

/** A lease, the right to change an organization's registration, outlasts the time limit for answers of the network. */
const Lease = Schema.Struct({ organization_id: OrganizationId, holder: Schema.String })
export type ChangeLease = typeof Lease.Type

const lease_seconds = 30

const listed = Struct.keys(StoredRegistration.fields)
  .map((name) => (name === "annuaire_start_date" ? `${name}::text` : name))
  .join(", ")

/** Every SQL statement names an organization, except the list for superadmins. */
export class RegistrationsRepo extends Context.Service<RegistrationsRepo>()(
  "invoicing/einvoicing/registrations/RegistrationsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const columns = sql.literal(listed)

      const row = ({
        document_types,
        identifiers,
        routing_code_address,
        ...rest
      }: typeof StoredRegistration.Encoded) => ({
        ...rest,
        document_types: sql.json(document_types),
        identifiers: sql.json(identifiers),
        routing_code_address: routing_code_address === null ? null : sql.json(routing_code_address)
      })

      const begin = SqlSchema.findOneOption({
        Request: Lease,
        Result: Lease,
        execute: ({ holder, organization_id }) => sql`
          insert into einvoicing_changes as c (organization_id, holder, expires_at)
          values (${organization_id}, ${holder}, now() + make_interval(secs => ${lease_seconds}))
          on conflict (organization_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where c.expires_at < now()
          returning organization_id, holder`
      })

      const end = SqlSchema.findOneOption({
        Request: Lease,
        Result: Lease,
        execute: ({ holder, organization_id }) => sql`
          delete from einvoicing_changes where organization_id = ${organization_id} and holder = ${holder}
          returning organization_id, holder`
      })

      const findOperation = SqlSchema.findOneOption({
        Request: Schema.Struct({ organization_id: OrganizationId, operation: Schema.String }),
        Result: StoredRegistration,
        execute: ({ operation, organization_id }) => sql`
          select ${columns} from einvoicing_registrations
          where organization_id = ${organization_id} and operation = ${operation}`
      })

      const findCurrent = SqlSchema.findOneOption({
        Request: OrganizationId,
        Result: StoredRegistration,
        execute: (organization_id) => sql`
          select ${columns} from einvoicing_registrations
          where organization_id = ${organization_id}
          order by id desc limit 1`
      })

      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: StoredRegistration,
        execute: ({ id, organization_id }) => sql`
          select ${columns} from einvoicing_registrations
          where organization_id = ${organization_id} and id = ${id}`
      })

      const insert = SqlSchema.void({
        Request: Schema.Struct({ ...StoredRegistration.fields, operation: Schema.NullOr(Schema.String) }),
        execute: ({ operation, ...stored }) =>
          sql`insert into einvoicing_registrations ${sql.insert({ ...row(stored), operation })}`
      })

      const save = SqlSchema.void({
        Request: StoredRegistration,
        execute: (stored) => sql`
          update einvoicing_registrations set ${sql.update(row(stored), ["id", "organization_id"])}
          where organization_id = ${stored.organization_id} and id = ${stored.id}`
      })

      const matching = (status: string | null) => (status === null ? sql.literal("true") : sql`status = ${status}`)

      const listAll = SqlSchema.findAll({
        Request: Schema.Struct({ status: Schema.NullOr(Schema.String), limit: Schema.Int, offset: Schema.Int }),
        Result: StoredRegistration,
        execute: ({ limit, offset, status }) => sql`
          select ${columns} from einvoicing_registrations where ${matching(status)}
          order by id desc limit ${limit} offset ${offset}`
      })

      const countAll = SqlSchema.findOne({
        Request: Schema.NullOr(Schema.String),
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (status) => sql`select count(*) as total from einvoicing_registrations where ${matching(status)}`
      })

      return {
        ...traced("RegistrationsRepo", {
          /** Finds the registration that an earlier request of the same operation has made. */
          findOperation,
          /** Finds the latest registration. A live one is always the latest. */
          findCurrent,
          find,
          insert,
          save,
          listAll,
          countAll,
          /** Takes the lease of an organization's registration. Returns false while another change holds the lease. */
          begin: (lease: ChangeLease) => Effect.map(begin(lease), Option.isSome),
          /** Gives the lease back. Returns false if the lease expired and another change took it over. */
          end: (lease: ChangeLease) => Effect.map(end(lease), Option.isSome)
        }),
        nextId: nextIdOf(sql, "einvoicing_registrations", RegistrationId)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
