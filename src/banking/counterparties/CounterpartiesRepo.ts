import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { BankMatchId, CounterpartyId, OrganizationId } from "../../kernel/Ids.ts"
import { Counterparty, IbanOwner, Party } from "./Counterparty.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Organization = Schema.Struct({ organization_id: OrganizationId })
const Key = Schema.Struct({ organization_id: OrganizationId, id: CounterpartyId })

/** Maximum number of parties whose names the database compares with a name. If there are more, it compares the latest. */
const parties_max = 20_000
/** Maximum number of parties with a similar name that are compared exactly. */
const alike_max = 200

/** A name as the database compares it. */
const Wanted = Schema.Struct({
  /** The whole name, normalized. */
  exact: Schema.String,
  /** The words that distinguish the name, without legal forms. */
  words: Schema.String,
  /** The beginning of each of these words, which a truncated name still has. */
  beginnings: Schema.Array(Schema.String),
  /** The words with digits, all of which an equal name has. */
  digits: Schema.Array(Schema.String),
  /** Minimum similarity of another name with legal forms, which `words` lacks. */
  similarity_min: Schema.Finite
})
/** Maximum number of IBANs that one SQL statement looks up. */
const ibans_max = 5_000

export class CounterpartiesRepo extends Context.Service<CounterpartiesRepo>()(
  "invoicing/banking/counterparties/CounterpartiesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Normalizes the name of a vendor about as `SearchText.ts` does. The names of customers are stored normalized. */
      const plain = (column: string) =>
        sql.literal(`regexp_replace(translate(replace(replace(replace(
        lower(normalize(${column}, nfkd)), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðħŧıĸŋς', 'olddhtiknσ'),
        '[\\u0300-\\u036f]', '', 'g')`)

      // Reads customers from `debtors`, because `counterparties` may lack them, and vendors from `counterparties`.
      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: Counterparty,
        execute: ({ id, organization_id }) => sql`
          select id, name, 'customer' as type from debtors
          where organization_id = ${organization_id} and id = ${id} and active
          union all
          select id, name, 'vendor' from counterparties
          where organization_id = ${organization_id} and id = ${id} and is_vendor limit 1`
      })

      const owners = SqlSchema.findAll({
        Request: Schema.Struct({ ...Organization.fields, ibans: Schema.Array(Schema.String) }),
        Result: IbanOwner,
        execute: ({ ibans, organization_id }) => sql`
          with known as (
            select i.iban, c.id, coalesce(d.name, c.name) as name,
              case when c.is_customer then 'customer' else 'vendor' end as type,
              row_number() over (partition by i.iban, c.is_customer) as position
            from counterparty_ibans i
              join counterparties c on c.organization_id = i.organization_id and c.id = i.counterparty_id
              left join debtors d on d.organization_id = c.organization_id and d.id = c.id
            where i.organization_id = ${organization_id} and ${sql.in("i.iban", ibans)}
              and (not c.is_customer or d.active))
          select iban, id, name, type from known where iban not in (select iban from known where position > 1)`
      })

      // Two similar names have most trigrams in common, or the beginnings of at least two words if one is truncated.
      // Depending on the locale of the database, letters outside ASCII have no trigrams and are no letters of a word.
      const alike = SqlSchema.findAll({
        Request: Schema.Struct({ ...Organization.fields, ...Wanted.fields }),
        Result: Party,
        execute: ({ beginnings, digits, exact, similarity_min, organization_id, words }) => sql`
          with parties as materialized (
            select id, name, 'customer' as type, split_part(search, chr(10), 1) as plain from debtors
            where organization_id = ${organization_id} and active
            union all
            select id, name, 'vendor', ${plain("name")} from counterparties
            where organization_id = ${organization_id} and is_vendor
            union all
            select null::bigint, v.name, 'vendor', ${plain("v.name")} from vendors v
            where v.organization_id = ${organization_id} and not exists (
              select 1 from counterparties c
              where c.organization_id = v.organization_id and c.name = v.name and c.is_vendor)
            order by id desc nulls last limit ${parties_max})
          select id, name, type from parties
          where case when ${digits.length === 0} then plain !~ '[0-9]'
            else plain like all(array(select '%' || digit || '%' from unnest(${digits}::text[]) digit)) end
            and (plain = ${exact} or similarity(plain, ${words}) >= ${similarity_min}::real
              or (select count(*) from unnest(${beginnings}::text[]) beginning
                where plain || ' ' || replace(plain, '.', '') ~ ('(^|[^[:alnum:]])' || beginning))
                  >= least(2, cardinality(${beginnings}::text[])))
          order by plain = ${exact} desc,
            greatest(similarity(plain, ${words}), word_similarity(${words}, plain)) desc, id desc nulls last
          limit ${alike_max}`
      })

      const vendorNamed = SqlSchema.findOne({
        Request: Schema.Struct({ ...Organization.fields, name: Schema.String }),
        Result: Schema.Struct({ id: CounterpartyId }),
        // The update changes nothing. It only makes the statement return the id of a vendor that exists already.
        execute: ({ name, organization_id }) => sql`
          insert into counterparties (id, organization_id, name, is_customer, is_vendor)
          values (nextval('customers_id_seq'), ${organization_id}, ${name}, false, true)
          on conflict (organization_id, name) where not is_customer do update set name = excluded.name
          returning id`
      })

      const customersNamed = SqlSchema.findAll({
        Request: Schema.Struct({ ...Organization.fields, name: Schema.String }),
        Result: Schema.Struct({ id: CounterpartyId }),
        execute: ({ name, organization_id }) => sql`
          select id from debtors where organization_id = ${organization_id} and active and name = ${name} limit 2`
      })

      /** A customer without a row in `counterparties` gets one, with the customer's own id. */
      const keepIban = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, iban: Schema.String }),
        execute: ({ iban, id, organization_id }) => sql`
          with party as (
            insert into counterparties (id, organization_id, name, is_customer, is_vendor)
            select id, organization_id, name, true, false from debtors
            where organization_id = ${organization_id} and id = ${id}
            on conflict (id) do nothing)
          insert into counterparty_ibans (organization_id, iban, counterparty_id)
          values (${organization_id}, ${iban}, ${id}) on conflict do nothing`
      })

      const forgetIban = SqlSchema.void({
        Request: Schema.Struct({ ...Organization.fields, iban: Schema.String, ids: Schema.Array(BankMatchId) }),
        execute: ({ iban, ids, organization_id }) => sql`
          with taught as (
            select distinct ${sql.in("m.id", ids)} as is_undone, i.counterparty_id
            from bank_transactions t
              join bank_matches m on m.organization_id = t.organization_id and m.bank_transaction_id = t.id
                and m.undone_at is null
              left join quotable_invoices q on q.organization_id = m.organization_id and q.id = m.invoice_id
              left join quotable_expenses e on e.organization_id = m.organization_id and e.id = m.expense_id
              join counterparty_ibans i on i.organization_id = t.organization_id and i.iban = t.counterparty_iban
              join counterparties c on c.organization_id = i.organization_id and c.id = i.counterparty_id
                and (c.id = q.customer_id or (c.is_vendor and c.name = e.vendor))
            where t.organization_id = ${organization_id} and t.counterparty_iban = ${iban}
              and t.status in ('matched', 'partially_matched'))
          delete from counterparty_ibans i
          where i.organization_id = ${organization_id} and i.iban = ${iban}
            and i.counterparty_id in (
              select counterparty_id from taught group by counterparty_id having bool_and(is_undone))`
      })

      const categoryOf = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Organization.fields, name: Schema.String }),
        Result: Schema.Struct({ category: Schema.String }),
        execute: ({ name, organization_id }) => sql`
          select category from vendors where organization_id = ${organization_id} and name = ${name}`
      })

      return {
        /**
         * Returns the parties that the IBANs identify. The IBAN of several customers or several vendors, such as that of
         * a payment service, identifies nobody.
         */
        owners: Effect.fn("CounterpartiesRepo.owners")(function* (
          organization_id: OrganizationId,
          ibans: ReadonlyArray<string>
        ) {
          const pages = Arr.chunksOf(ibans, ibans_max)
          return (yield* Effect.forEach(pages, (ibans) => owners({ organization_id, ibans }))).flat()
        }, Effect.orDie),
        ...traced("CounterpartiesRepo", {
          find,
          /** Returns the parties whose names may be similar to a name. */
          alike,
          /** Returns at most two customers with exactly this name. */
          customersNamed,
          keepIban,
          forgetIban,
          categoryOf
        }),
        vendorNamed: Effect.fn("CounterpartiesRepo.vendorNamed")(
          vendorNamed,
          Effect.map(({ id }) => id),
          Effect.orDie
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
