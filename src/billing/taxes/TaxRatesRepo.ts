import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { StoredTaxRate } from "./TaxRate.ts"
import { bigints, columnsOf } from "../../platform/sql/statements/Columns.ts"

const NewTaxRate = Schema.Struct(Struct.omit(StoredTaxRate.fields, ["id", "archived", "created_at", "updated_at"]))

export class TaxRatesRepo extends Context.Service<TaxRatesRepo>()("invoicing/billing/taxes/TaxRatesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf("tax_rates", StoredTaxRate.fields, { archived: "archived_at is not null" }))
    const Key = Schema.Struct({ organization_id: OrganizationId, id: TaxRateId })

    // The organization's own country is stored as null, or else its sales would count as sales of the One Stop Shop.
    const countryOf = ({ country, organization_id }: Pick<typeof NewTaxRate.Encoded, "country" | "organization_id">) =>
      sql`nullif(${country}::text,
        (select printed ->> 'country' from letterheads where organization_id = ${organization_id}))`

    const insert = SqlSchema.findOne({
      Request: NewTaxRate,
      Result: StoredTaxRate,
      execute: ({ category, exemption_code, is_default, name, rate, ...own }) => sql`
        insert into tax_rates (organization_id, name, rate, category, country, exemption_code, is_default)
        values (${own.organization_id}, ${name}, ${rate}, ${category}, ${countryOf(own)}, ${exemption_code},
          ${is_default})
        returning ${columns}`
    })
    // Concurrent creations for one organization are serialized, so that each one counts the rates of the others.
    const lockCreation = SqlSchema.void({
      Request: OrganizationId,
      execute: (organization_id) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`tax_rates:${organization_id}`}, 0))`
    })
    const countAll = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ total: Schema.Int }),
      execute: (organization_id) => sql`
        select count(*) as total from tax_rates where organization_id = ${organization_id}`
    })
    const update = SqlSchema.findOneOption({
      Request: StoredTaxRate,
      Result: StoredTaxRate,
      execute: ({ archived, category, exemption_code, id, is_default, name, rate, ...own }) => sql`
        update tax_rates set name = ${name}, rate = ${rate}, category = ${category}, country = ${countryOf(own)},
          exemption_code = ${exemption_code}, is_default = ${is_default},
          archived_at = case when ${archived} then coalesce(archived_at, now()) end, updated_at = now()
        where organization_id = ${own.organization_id} and id = ${id} returning ${columns}`
    })
    const select = (locking: "" | "for update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: StoredTaxRate,
        execute: ({ id, organization_id }) => sql`
          select ${columns} from tax_rates
          where organization_id = ${organization_id} and id = ${id} ${sql.literal(locking)}`
      })
    const find = select("")
    const lock = select("for update")
    const list = SqlSchema.findAll({
      Request: OrganizationId,
      Result: StoredTaxRate,
      execute: (organization_id) => sql`
        select ${columns} from tax_rates where organization_id = ${organization_id} order by archived, id`
    })
    const setDefaults = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(TaxRateId) }),
      execute: ({ ids, organization_id }) => sql`
        update tax_rates set is_default = (id = any(${bigints(ids)}::bigint[])), updated_at = now()
        where organization_id = ${organization_id}`
    })

    return {
      insert: (rate: typeof NewTaxRate.Type) => insert(rate).pipe(Effect.orDie),
      countBeforeInsert: (organization_id: OrganizationId) =>
        lockCreation(organization_id).pipe(
          Effect.andThen(countAll(organization_id)),
          Effect.map(({ total }) => total),
          Effect.orDie
        ),
      update: (rate: StoredTaxRate) => update(rate).pipe(Effect.orDie),
      find: (key: typeof Key.Type) => find(key).pipe(Effect.orDie),
      lock: (key: typeof Key.Type) => lock(key).pipe(Effect.orDie),
      list: (organization_id: OrganizationId) => list(organization_id).pipe(Effect.orDie),
      setDefaults: (organization_id: OrganizationId, ids: ReadonlyArray<TaxRateId>) =>
        setDefaults({ organization_id, ids }).pipe(Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
