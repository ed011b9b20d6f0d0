import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Timestamp } from "../kernel/Calendar.ts"
import { compiled } from "../kernel/Compiled.ts"
import { CustomerId, OrganizationId } from "../kernel/Ids.ts"
import { searchPattern, searchText } from "../kernel/SearchText.ts"
import type { Entry } from "../platform/events/AuditLog.ts"
import { auditedTable } from "../platform/events/AuditedTable.ts"
import { columnsOf } from "../platform/sql/statements/Columns.ts"
import { ReadSql } from "../platform/sql/Database.ts"
import { conditionsOf } from "../platform/sql/statements/Filters.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../platform/sql/statements/Listing.ts"
import { nextIdOf } from "../platform/sql/statements/NextId.ts"
import type { Listed } from "../platform/sql/statements/Page.ts"
import { CustomerContact } from "./Contact.ts"
import { Customer, type CustomersQuery, customersSorting } from "./Customer.ts"
import { namedBy } from "./NameOrder.ts"
import { traced } from "../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: CustomerId })
type Key = typeof Key.Type
const Keys = Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(CustomerId) })

const Row = Schema.Struct({ ...Struct.omit(Customer.fields, ["contacts"]), search: Schema.String })

const searchable = (customer: Customer): typeof Row.Type => ({
  ...customer,
  search: searchText([customer.name, customer.email, customer.tax_number])
})

const contact = Object.keys(CustomerContact.fields).map((name) => `'${name}', c.${name}`)
const contacts = `(
  select coalesce(json_agg(json_build_object(${contact.join(", ")}) order by c.id), '[]')
  from contacts c where c.organization_id = customers.organization_id and c.customer_id = customers.id
    and c.deleted_at is null)`

/** Only `list` reads deleted customers, if the query requests deletions. */
export class CustomersRepo extends Context.Service<CustomersRepo>()("invoicing/customers/CustomersRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = yield* ReadSql
    const { insert, change } = yield* auditedTable("customers", Row)

    const columns = sql.literal(columnsOf("customers", Customer.fields, { contacts }))

    const live = (organization_id: number) => sql`organization_id = ${organization_id} and deleted_at is null`

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: compiled(Customer),
      execute: ({ id, organization_id }) => read`
        select ${columns} from customers where ${live(organization_id)} and id = ${id}`
    })

    const listing = deletableListingOf(Customer.fields)
    const termsOf = sortedBy(sql, customersSorting, namedBy)

    const list = Effect.fn("CustomersRepo.list")(function* (organization_id: OrganizationId, query: CustomersQuery) {
      const filters = { ...query, search: searchPattern(query.search) }
      const asked = [
        sql`organization_id = ${organization_id}`,
        deletedFilter(sql, query),
        ...conditionsOf(filters, {
          external_id: (id) => sql`external_id = ${id}`,
          search: (pattern) => sql`search like ${pattern}`
        })
      ]
      return yield* listing(query, (query) => {
        const { facts, limited, matching, sorted, where } = termsOf(query, asked)
        return sql<Listed>`
          select ${columns}, ${facts(sql`select count(*)::integer from customers where ${matching}`)}
          from (select * from customers where ${where} ${sorted} ${limited}) customers ${sorted}`
      })
    }, Effect.orDie)

    // Rows are locked in the order of their ids, which avoids deadlocks. `for update` would deadlock with requests that
    // insert a document, because these check the customer after they have locked the audit log.
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

    /**
     * Waits for changes and for the deletion of the customer (`lockAll`), but not for other documents. Inserting a
     * document takes a weaker lock, which waits for none of these.
     */
    const keep = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ id: CustomerId }),
      execute: ({ id, organization_id }) => sql`
        select id from customers where ${live(organization_id)} and id = ${id} for share`
    })

    const findDocuments = SqlSchema.findOne({
      Request: Key,
      Result: Schema.Struct({ exists: Schema.Boolean }),
      execute: ({ id, organization_id }) => sql`
        select exists (
          select from documented_customers where organization_id = ${organization_id} and id = ${id}) as exists`
    })

    const Identified = Schema.Struct({ ...Key.fields, scheme: Schema.String, value: Schema.String })

    const markVerified = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Identified.fields, at: Timestamp }),
      Result: Schema.Struct({ id: CustomerId }),
      execute: ({ at, id, organization_id, scheme, value }) => sql`
        update customers set einvoicing_identifier_verified = true, einvoicing_identifier_verified_at = ${at},
          updated_at = ${at}, version = version + 1
        where ${live(organization_id)} and id = ${id} and einvoicing_identifier_scheme = ${scheme}
          and einvoicing_identifier_value = ${value} and not einvoicing_identifier_verified
        returning id`
    })

    const findVerified = SqlSchema.findOneOption({
      Request: Identified,
      Result: Schema.Struct({ at: Timestamp }),
      execute: ({ id, organization_id, scheme, value }) => sql`
        select einvoicing_identifier_verified_at as at from customers
        where ${live(organization_id)} and id = ${id} and einvoicing_identifier_scheme = ${scheme}
          and einvoicing_identifier_value = ${value} and einvoicing_identifier_verified`
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
      ...traced("CustomersRepo", {
        find,
        lockAll,
        touchAll,
        keep,
        /** Returns none when the identifier was verified before or has changed meanwhile. */
        markVerified,
        findVerified,
        remove
      }),
      /**
       * Runs two statements, because a single one that waits for the lock would return the new customer with the old
       * contacts.
       */
      lock: Effect.fn("CustomersRepo.lock")(function* (key: Key) {
        yield* lockAll({ organization_id: key.organization_id, ids: [key.id] })
        return yield* find(key)
      }, Effect.orDie),
      list,
      nextId: nextIdOf(read, "customers", CustomerId),
      insert: (organization_id: OrganizationId, customer: Customer, entry: Entry) =>
        insert(organization_id, searchable(customer), undefined, entry),
      save: (organization_id: OrganizationId, customer: Customer, entry: Entry) =>
        change(organization_id, searchable(customer), entry),
      /** The customer must be locked, so that no transaction issues a document to it meanwhile. */
      hasDocuments: (key: Key) =>
        findDocuments(key).pipe(
          Effect.map(({ exists }) => exists),
          Effect.orDie
        )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
