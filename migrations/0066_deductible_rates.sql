-- context: expenses

-- Costs of expenses whose last rate has no tax are subtracted by the old function and added by the new one, so no expense
-- may be written in between.
lock table expenses in share row exclusive mode;

select add_costs(e, -1) from expenses e
where is_vat_deductible and jsonb_array_length(tax_rates) > 1 and (tax_rates -> -1 ->> 'tax_amount')::numeric = 0;

-- The tax of a deductible expense by rate. The deductible amount is distributed over the rates by rounding the running
-- sums, and the last rate that has a tax gets the remainder.
create or replace function expense_taxes(e expenses)
  returns table (rate text, taxable numeric, tax numeric, deductible numeric)
  language sql immutable as $$
  with taxed as (
    select t.rate, t.place, coalesce(t.taxable, e.amount - coalesce(e.tax_amount, 0)) as taxable,
      coalesce(t.tax, e.tax_amount, 0) as tax
    from (select) once left join lateral rows from (jsonb_to_recordset(e.tax_rates)
      as (rate numeric, taxable_amount numeric, tax_amount numeric)) with ordinality
      as t (rate, taxable, tax, place) on true
    where e.is_vat_deductible and (coalesce(e.tax_amount, 0) <> 0 or t.place is not null)),
  shared as (
    select *, case
      when coalesce(place, 0) >= coalesce(max(place) filter (where tax <> 0) over (), jsonb_array_length(e.tax_rates))
        then deductible_tax(e)
      else round(sum(tax) over (order by place) * (coalesce(e.vat_deductible_percentage, 100) / 100),
        currency_exponent(e.currency)) end as upto
    from taxed),
  rated as (select *, upto - coalesce(lag(upto) over (order by place), 0) as part from shared)
  select coalesce(trim_scale(rate)::text, ''), sum(taxable), sum(tax), sum(part) from rated group by 1
$$;

select add_costs(e, 1) from expenses e
where is_vat_deductible and jsonb_array_length(tax_rates) > 1 and (tax_rates -> -1 ->> 'tax_amount')::numeric = 0;
