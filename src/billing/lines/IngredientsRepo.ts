import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { NamedCustomer } from "../../customers/Customer.ts"
import { compiled } from "../../kernel/Compiled.ts"
import { CustomerId, OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { items_max, LineItemId } from "./LineItem.ts"
import { Seller } from "./IntraCommunity.ts"
import { TaxRate } from "./Tax.ts"
import { bigints } from "../../platform/sql/statements/Columns.ts"

/** The data for pricing a document, read in one round trip with the ids of the new rows. */
export const Ingredients = compiled(
  Schema.Struct({
    /** The id of the new document, taken from the sequence of its table. */
    id: Schema.Int,
    item_ids: Schema.Array(LineItemId),
    customer: Schema.NullOr(NamedCustomer),
    seller: Seller,
    rates: Schema.Array(Schema.Struct({ ...TaxRate.fields, is_default: Schema.Boolean }))
  })
)
export type Ingredients = typeof Ingredients.Type

const IngredientsRequest = Schema.Struct({
  document: Schema.Literals(["invoices", "quotes"]),
  organization_id: OrganizationId,
  customer_id: CustomerId,
  tax_rate_ids: Schema.Array(TaxRateId),
  items: Schema.Int
})

export class IngredientsRepo extends Context.Service<IngredientsRepo>()("invoicing/billing/lines/IngredientsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = yield* ReadSql

    // The limit of `generate_series` is a literal: with a parameter, the planner would expect 1000 rows and plan every
    // call again. In a `from` clause, `generate_series` would produce all its rows before `limit` applies.
    const find = SqlSchema.findOne({
      Request: IngredientsRequest,
      Result: Ingredients,
      execute: ({ customer_id, document, items, organization_id, tax_rate_ids }) => read`
        select nextval(${sql.literal(`'${document}_id_seq'`)}) as id,
          array(select nextval('invoice_item_ids')
            from (select generate_series(1, ${sql.literal(String(items_max))}) limit ${items}) as series) as item_ids,
          (select json_build_object('id', id, 'name', name) from debtors
            where organization_id = ${organization_id} and id = ${customer_id} and active) as customer,
          (select coalesce(json_agg(json_strip_nulls(json_build_object('id', id, 'name', name, 'rate', rate,
              'category', category, 'country', country, 'exemption_code', exemption_code,
              'is_default', is_default)) order by id), '[]')
            from tax_rates where organization_id = ${organization_id} and archived_at is null
              and (is_default or id = any(${bigints(tax_rate_ids)}::bigint[]))) as rates,
          (select json_build_object('country', printed ->> 'country', 'tax_number', printed ->> 'tax_number')
            from letterheads where organization_id = ${organization_id}) as seller`
    })

    return { find: (request: typeof IngredientsRequest.Type) => find(request).pipe(Effect.orDie) }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
