import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ContactId, CustomerId, OrganizationId } from "../kernel/Ids.ts"
import { searchPattern } from "../kernel/SearchText.ts"
import { columnsOf } from "../platform/sql/statements/Columns.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../platform/sql/statements/Listing.ts"
import { uniqueExternalId } from "../platform/sql/statements/ExternalIds.ts"
import { conditionsOf } from "../platform/sql/statements/Filters.ts"
import type { Listed } from "../platform/sql/statements/Page.ts"
import { namedBy } from "./NameOrder.ts"
import { Contact, ContactDetails, type ContactsQuery, contactsSorting } from "./Contact.ts"
import { traced } from "../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: ContactId })

const Row = Schema.Struct({ organization_id: OrganizationId, ...ContactDetails.fields, search: Schema.String })

const stored = <A extends Pick<ContactDetails, "metadata">>(row: A) => ({
  ...row,
  metadata: PgTypes.jsonb(row.metadata)
})

/** Only `list` reads deleted contacts, if the query asks for them. Callers that write must hold the customer's lock. */
export class ContactsRepo extends Context.Service<ContactsRepo>()("invoicing/customers/ContactsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(columnsOf("contacts", Contact.fields))

    const uniquely = uniqueExternalId(sql, "contacts")

    const live = (organization_id: number) => sql`organization_id = ${organization_id} and deleted_at is null`

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Contact,
      execute: ({ id, organization_id }) => sql`
        select ${columns} from contacts where ${live(organization_id)} and id = ${id}`
    })

    const ofCustomer = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, customer_id: CustomerId }),
      Result: Contact,
      execute: ({ customer_id, organization_id }) => sql`
        select ${columns} from contacts where ${live(organization_id)} and customer_id = ${customer_id} order by id`
    })

    const measure = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, customer_id: CustomerId }),
      Result: Schema.Struct({ total: Schema.Int, bytes: Schema.Int }),
      execute: ({ customer_id, organization_id }) => sql`
        select count(*)::integer as total,
          coalesce(sum(octet_length(metadata::text) + octet_length(coalesce(notes, ''))), 0)::integer as bytes
        from contacts
        where ${live(organization_id)} and customer_id = ${customer_id}`
    })

    const findAll = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(ContactId) }),
      Result: Contact,
      execute: ({ ids, organization_id }) => sql`
        select ${columns} from contacts where ${live(organization_id)} and ${sql.in("id", ids)}`
    })

    const listing = deletableListingOf(Contact.fields)
    const termsOf = sortedBy(sql, contactsSorting, namedBy)

    const list = Effect.fn("ContactsRepo.list")(function* (organization_id: OrganizationId, query: ContactsQuery) {
      const filters = { ...query, search: searchPattern(query.search) }
      const asked = [
        sql`organization_id = ${organization_id}`,
        deletedFilter(sql, query),
        ...conditionsOf(filters, {
          external_id: (id) => sql`external_id = ${id}`,
          customer_id: (id) => sql`customer_id = ${id}`,
          search: (pattern) => sql`search like ${pattern}`
        })
      ]
      return yield* listing(query, (query) => {
        const { facts, limited, matching, sorted, where } = termsOf(query, asked)
        return sql<Listed>`
          select ${columns}, ${facts(sql`select count(*)::integer from contacts where ${matching}`)}
          from contacts where ${where} ${sorted} ${limited}`
      })
    }, Effect.orDie)

    const clearPrimary = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, customer_id: CustomerId }),
      Result: Contact,
      execute: ({ customer_id, organization_id }) => sql`
        update contacts set is_primary = false, updated_at = now(), version = version + 1
        where ${live(organization_id)} and customer_id = ${customer_id} and is_primary returning ${columns}`
    })

    const insert = SqlSchema.findOne({
      Request: Row,
      Result: Contact,
      execute: (row) => sql`insert into contacts ${sql.insert(stored(row))} returning ${columns}`
    })

    const save = SqlSchema.findOne({
      Request: Schema.Struct({ id: ContactId, ...Row.fields }),
      Result: Contact,
      execute: ({ id, organization_id, ...row }) => sql`
        update contacts set ${sql.update(stored(row))}, updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id} returning ${columns}`
    })

    const remove = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        update contacts set deleted_at = now(), updated_at = now(), version = version + 1
        where ${live(organization_id)} and id = ${id}`
    })

    return {
      ...traced("ContactsRepo", { find, ofCustomer, measure, findAll, clearPrimary, remove }),
      list,
      insert: Effect.fn("ContactsRepo.insert")((row: typeof Row.Type) => uniquely(row.external_id, insert(row))),
      save: Effect.fn("ContactsRepo.save")((row: Parameters<typeof save>[0]) => uniquely(row.external_id, save(row)))
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
