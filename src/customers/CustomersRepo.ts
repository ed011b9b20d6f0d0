import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { compiled } from "../kernel/Compiled.ts"
import { limitOf, offsetOf } from "../kernel/Envelope.ts"
import { CustomerId, OrganizationId } from "../kernel/Ids.ts"
import { searchPattern } from "../kernel/SearchText.ts"
import { ReadSql } from "../platform/sql/Database.ts"
import { type Listed, pagesOf } from "../platform/sql/Page.ts"
import { Customer, CustomerDetails, type CustomersQuery } from "./Customer.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: CustomerId })
const Keys = Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(CustomerId) })

const Row = Schema.Struct({
  organization_id: OrganizationId,
  ...CustomerDetails.fields,
  einvoicing_identifier_verified: Schema.Boolean,
  search: Schema.String
})

/** Every statement names the organization, so none can read or write across tenants; none sees a deleted customer. */
export class CustomersRepo extends Context.Service<CustomersRepo>()("invoicing/customers/CustomersRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = yield* ReadSql

    const columns = sql.literal(`
      id, name, email, phone, website, tax_number, address_line1, address_line2, city, state, postal_code, country,
      billing_subdivision_code, shipping_subdivision_code, language, currency, notes,
      einvoicing_identifier_scheme, einvoicing_identifier_value, einvoicing_identifier_verified,
      (select coalesce(json_agg(json_build_object(
          'id', c.id, 'customer_id', c.customer_id, 'name', c.name, 'email', c.email, 'phone', c.phone,
          'position', c.position, 'is_primary', c.is_primary, 'notes', c.notes) order by c.id), '[]')
        from contacts c where c.customer_id = customers.id and c.deleted_at is null) as contacts,
      created_at, updated_at, version`)

    const live = (organization_id: number) => sql`organization_id = ${organization_id} and deleted_at is null`

    // Not `for update`, which would hold up every insert of a document that refers to the customer.
    const select = (locking: "" | "for no key update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: compiled(Customer),
        execute: ({ id, organization_id }) => (locking === "" ? read : sql)`
          select ${columns} from customers where ${live(organization_id)} and id = ${id} ${sql.literal(locking)}`
      })

    const pages = pagesOf(Customer.fields)

    const list = Effect.fn("CustomersRepo.list")(function* (organization_id: OrganizationId, query: CustomersQuery) {
      const pattern = searchPattern(query.search)
      const where =
        pattern === undefined ? live(organization_id) : sql`${live(organization_id)} and search like ${pattern}`
      return yield* pages(
        query,
        (query) => sql<Listed>`
        select ${columns}, (select count(*)::integer from customers where ${where}) as list_total
        from (
          select * from customers where ${where}
          order by id desc limit ${limitOf(query)} offset ${offsetOf(query)}) customers
        order by id desc`
      )
    }, Effect.orDie)

    const insert = SqlSchema.findOne({
      Request: Row,
      Result: Customer,
      execute: (row) => sql`insert into customers ${sql.insert(row)} returning ${columns}`
    })

    const save = SqlSchema.findOne({
      Request: Schema.Struct({ id: CustomerId, ...Row.fields }),
      Result: Customer,
      execute: ({ id, organization_id, ...row }) => sql`
        update customers set ${sql.update(row)}, updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id} returning ${columns}`
    })

    // In the order of ids, so that two requests with the same two customers never wait for each other.
    const lockAll = SqlSchema.findAll({
      Request: Keys,
      Result: Schema.Struct({ id: CustomerId }),
      execute: ({ ids, organization_id }) => sql`
        select id from customers where ${live(organization_id)} and ${sql.in("id", ids)}
        order by id for no key update`
    })

    const touchAll = SqlSchema.findAll({
      Request: Keys,
      Result: Customer,
      execute: ({ ids, organization_id }) => sql`
        update customers set updated_at = now(), version = version + 1
        where ${live(organization_id)} and ${sql.in("id", ids)} returning ${columns}`
    })

    const findDocumented = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ has_documents: Schema.Boolean }),
      execute: ({ id, organization_id }) => sql`
        select has_documents from customers where ${live(organization_id)} and id = ${id}`
    })

    const markDocumented = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ id: CustomerId }),
      execute: ({ id, organization_id }) => sql`
        update customers set has_documents = true where ${live(organization_id)} and id = ${id} returning id`
    })

    const remove = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        with removed as (
          update customers set deleted_at = now(), updated_at = now(), version = version + 1
          where ${live(organization_id)} and id = ${id} returning id)
        update contacts set deleted_at = now(), updated_at = now(), version = version + 1
        from removed where ${live(organization_id)} and customer_id = removed.id`
    })

    return {
      find: Effect.fn("CustomersRepo.find")(select(""), Effect.orDie),
      lock: Effect.fn("CustomersRepo.lock")(select("for no key update"), Effect.orDie),
      list,
      insert: Effect.fn("CustomersRepo.insert")(insert, Effect.orDie),
      save: Effect.fn("CustomersRepo.save")(save, Effect.orDie),
      lockAll: Effect.fn("CustomersRepo.lockAll")(lockAll, Effect.orDie),
      touchAll: Effect.fn("CustomersRepo.touchAll")(touchAll, Effect.orDie),
      findDocumented: Effect.fn("CustomersRepo.findDocumented")(findDocumented, Effect.orDie),
      markDocumented: Effect.fn("CustomersRepo.markDocumented")(markDocumented, Effect.orDie),
      remove: Effect.fn("CustomersRepo.remove")(remove, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
