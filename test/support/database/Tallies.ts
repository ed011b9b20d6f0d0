import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { unusualExponents } from "../../../src/kernel/Currency.ts"

/** Checks that the stored totals (tallies) of lists, sales and costs equal values computed from the rows. */
export const verifyTallies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Lists show stored totals, which must equal a count of the rows.
  expect(
    yield* sql`
    select organization_id, list, day, kind, state, sum(count) from (
      select organization_id, list, day, kind, state, count from list_counts
      union all
      select organization_id, 'payments', payment_date, payment_method,
        case when refunded_amount = 0 then 'completed' when refunded_amount < amount then 'partially_refunded'
          else 'refunded' end, -1
      from payments where deleted_at is null
      union all
      select organization_id, 'expenses', expense_date, category, status, -1 from expenses where deleted_at is null
      union all
      select organization_id, 'bank_transactions', booking_date, bank_account_id::text, status, -1
      from bank_transactions) told
    group by 1, 2, 3, 4, 5 having sum(count) <> 0`
  ).toEqual([])
  // Reports add up the daily sales, which must therefore equal the sums of the sales entries.
  expect(
    yield* sql`
    with counted as (
      select organization_id, date, document, currency, coalesce(country, '') as country, rate, category,
        sum(taxable) as taxable, sum(tax) as tax, sum(net) as net, sum(rounding) as rounding, count(*) as entries,
        count(*) filter (where line = 1) as documents
      from sales_entries where exchange_rate is null group by 1, 2, 3, 4, 5, 6, 7),
    told as (select * from sales_tallies where entries <> 0)
    (select * from told except select * from counted) union all (select * from counted except select * from told)`
  ).toEqual([])
  expect(
    yield* sql`
    with counted as (
      select organization_id, expense_date, currency, category, sum(amount - tax) as net, sum(deductible) as deductible,
        sum(tax - deductible) as non_deductible_tax, count(*) as expenses
      from (${expenses(sql)}) e group by 1, 2, 3, 4),
    told as (select * from cost_tallies where expenses <> 0)
    (select * from told except select * from counted) union all (select * from counted except select * from told)`
  ).toEqual([])
  expect(
    yield* sql`
    with taxed as (
      select c.organization_id, c.id, expense_date, category, currency, t.rate, t.place, c.deductible, share, exponent,
        coalesce(t.taxable, amount - c.tax) as taxable, coalesce(t.tax, c.tax) as tax,
        jsonb_array_length(tax_rates) as rates
      from (${expenses(sql)}) c
      left join lateral rows from (jsonb_to_recordset(tax_rates)
        as (rate numeric, taxable_amount numeric, tax_amount numeric)) with ordinality
        as t (rate, taxable, tax, place) on true
      where is_vat_deductible and (c.tax <> 0 or t.place is not null)),
    shared as (
      select *, case
        when coalesce(place, 0) >= coalesce(max(place) filter (where tax <> 0) over (partition by id), rates) then deductible
        else round(sum(tax) over (partition by id order by place) * share, exponent) end as upto from taxed),
    rated as (
      select *, upto - coalesce(lag(upto) over (partition by id order by place), 0) as part from shared),
    counted as (
      select organization_id, expense_date, currency, category, coalesce(trim_scale(rate)::text, '') as rate,
        sum(taxable) as taxable, sum(tax) as tax, sum(part) as deductible, count(distinct id) as expenses
      from rated group by 1, 2, 3, 4, 5),
    told as (select * from cost_tax_tallies where expenses <> 0)
    (select * from told except select * from counted) union all (select * from counted except select * from told)`
  ).toEqual([])
})

/** Expenses that are included in reports, with the tax and the deductible tax that their own columns state. */
const expenses = (sql: SqlClient.SqlClient) => sql`
  select *, case when is_vat_deductible then round(tax * share, exponent) else 0 end as deductible
  from (
    select *, coalesce(tax_amount, 0) as tax, coalesce(vat_deductible_percentage, 100) / 100 as share,
      coalesce((${JSON.stringify(unusualExponents)}::jsonb ->> currency)::integer, 2) as exponent
    from expenses where deleted_at is null and status not in ('draft', 'rejected')) e`
