import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { StoredRegistration } from "./Registration.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: RegistrationId })

/** The first key of the advisory locks; the second one is the organization. */
const registrations_lock = 50

const listed = Struct.keys(StoredRegistration.fields)
  .map((name) => (name === "annuaire_start_date" ? `${name}::text` : name))
  .join(", ")

/** Every statement names the organization, except the list of the administration. */
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

      const lockOrganization = SqlSchema.void({
        Request: OrganizationId,
        execute: (id) => sql`select pg_advisory_xact_lock(${registrations_lock}, ${id})`
      })

      const findCurrent = (locking: "" | "for update") =>
        SqlSchema.findOneOption({
          Request: OrganizationId,
          Result: StoredRegistration,
          execute: (organization_id) => sql`
            select ${columns} from einvoicing_registrations
            where organization_id = ${organization_id}
            order by id desc limit 1 ${sql.literal(locking)}`
        })

      const select = (locking: "" | "for update") =>
        SqlSchema.findOneOption({
          Request: Key,
          Result: StoredRegistration,
          execute: ({ id, organization_id }) => sql`
            select ${columns} from einvoicing_registrations
            where organization_id = ${organization_id} and id = ${id} ${sql.literal(locking)}`
        })

      const nextId = SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ id: RegistrationId }),
        execute: () => sql`select nextval('einvoicing_registrations_id_seq')::integer as id`
      })

      const insert = SqlSchema.void({
        Request: StoredRegistration,
        execute: (stored) => sql`insert into einvoicing_registrations ${sql.insert(row(stored))}`
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
        /** Serializes concurrent registrations, so that the second one sees the first. */
        lockOrganization: Effect.fn("RegistrationsRepo.lockOrganization")(lockOrganization, Effect.orDie),
        /** Finds the latest registration. A live one is always the latest. */
        findCurrent: Effect.fn("RegistrationsRepo.findCurrent")(findCurrent(""), Effect.orDie),
        lockCurrent: Effect.fn("RegistrationsRepo.lockCurrent")(findCurrent("for update"), Effect.orDie),
        find: Effect.fn("RegistrationsRepo.find")(select(""), Effect.orDie),
        lock: Effect.fn("RegistrationsRepo.lock")(select("for update"), Effect.orDie),
        nextId: nextId().pipe(
          Effect.map(({ id }) => id),
          Effect.orDie
        ),
        insert: Effect.fn("RegistrationsRepo.insert")(insert, Effect.orDie),
        save: Effect.fn("RegistrationsRepo.save")(save, Effect.orDie),
        listAll: Effect.fn("RegistrationsRepo.listAll")(listAll, Effect.orDie),
        countAll: Effect.fn("RegistrationsRepo.countAll")(countAll, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
