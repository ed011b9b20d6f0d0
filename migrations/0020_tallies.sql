-- context: platform

-- The numbers of rows of long lists by day and by two columns that the lists are filtered by. A list reads its total
-- here, and the days on which its page lies, instead of counting a million rows.
create table list_tallies (
  organization_id bigint not null,
  list text not null,
  day date not null,
  kind text not null,
  state text not null,
  count bigint not null,
  primary key (organization_id, list, day, kind, state)
) with (fillfactor = 50);

-- Changes that are not yet part of the tallies. The triggers of the lists only insert here, so that no writer waits for
-- another one and none can deadlock; a worker adds the changes to the tallies.
create table list_changes (
  organization_id bigint not null,
  list text not null,
  day date not null,
  kind text not null,
  state text not null,
  count bigint not null
);

create index list_changes_listed on list_changes (organization_id, list, day);

create view list_counts as
select organization_id, list, day, kind, state, count from list_tallies
union all
select organization_id, list, day, kind, state, count from list_changes;

-- context: billing

create function payment_state(amount numeric, refunded_amount numeric) returns text language sql immutable
  return case when refunded_amount = 0 then 'completed' when refunded_amount = amount then 'refunded'
    else 'partially_refunded' end;

create function tally_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    insert into list_changes (organization_id, list, day, kind, state, count)
    values (old.organization_id, 'payments', old.payment_date, old.payment_method,
      payment_state(old.amount, old.refunded_amount), -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into list_changes (organization_id, list, day, kind, state, count)
    values (new.organization_id, 'payments', new.payment_date, new.payment_method,
      payment_state(new.amount, new.refunded_amount), 1);
  end if;
  return null;
end
$$;

create trigger payments_tallied after insert or delete on payments for each row execute function tally_payment();
create trigger payments_tallied_update after update on payments for each row
  when ((old.payment_date, old.payment_method, old.amount, old.refunded_amount, old.deleted_at)
    is distinct from (new.payment_date, new.payment_method, new.amount, new.refunded_amount, new.deleted_at))
  execute function tally_payment();

insert into list_tallies (organization_id, list, day, kind, state, count)
select organization_id, 'payments', payment_date, payment_method, payment_state(amount, refunded_amount), count(*)
from payments where deleted_at is null group by 1, 2, 3, 4, 5;

-- Sums of the sales entries by day, so that a report of a year reads some hundred rows. An entry with an exchange rate
-- is not part of them, because each such entry is rounded when it is converted.
create table sales_tallies (
  organization_id bigint not null,
  date date not null,
  document text not null,
  currency char(3) not null,
  -- Empty where the entry has none, because a key needs a value.
  country text not null,
  rate numeric(9, 4) not null,
  category text not null,
  taxable numeric not null,
  tax numeric not null,
  net numeric not null,
  rounding numeric not null,
  entries bigint not null,
  -- Number of documents of which this row has the first entry.
  documents bigint not null,
  primary key (organization_id, date, document, currency, country, rate, category)
) with (fillfactor = 50);

create index sales_entries_converted on sales_entries (organization_id, date) where exchange_rate is not null;

create function tally_sales() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.exchange_rate is null then
    update sales_tallies set taxable = taxable - old.taxable, tax = tax - old.tax, net = net - old.net,
      rounding = rounding - old.rounding, entries = entries - 1, documents = documents - (old.line = 1)::integer
    where organization_id = old.organization_id and date = old.date and document = old.document
      and currency = old.currency and country = coalesce(old.country, '') and rate = old.rate
      and category = old.category;
  end if;
  if tg_op <> 'DELETE' and new.exchange_rate is null then
    insert into sales_tallies as t (organization_id, date, document, currency, country, rate, category, taxable, tax,
      net, rounding, entries, documents)
    values (new.organization_id, new.date, new.document, new.currency, coalesce(new.country, ''), new.rate,
      new.category, new.taxable, new.tax, new.net, new.rounding, 1, (new.line = 1)::integer)
    on conflict (organization_id, date, document, currency, country, rate, category) do update
    set taxable = t.taxable + excluded.taxable, tax = t.tax + excluded.tax, net = t.net + excluded.net,
      rounding = t.rounding + excluded.rounding, entries = t.entries + 1, documents = t.documents + excluded.documents;
  end if;
  return null;
end
$$;

create trigger sales_entries_tallied after insert or update or delete on sales_entries
  for each row execute function tally_sales();

insert into sales_tallies (organization_id, date, document, currency, country, rate, category, taxable, tax, net,
  rounding, entries, documents)
select organization_id, date, document, currency, coalesce(country, ''), rate, category, sum(taxable), sum(tax),
  sum(net), sum(rounding), count(*), count(*) filter (where line = 1)
from sales_entries where exchange_rate is null group by 1, 2, 3, 4, 5, 6, 7;

-- Covers the columns from which receivables are summed by customer, on any day.
drop index invoices_due;
create index invoices_due on invoices (organization_id, due_date)
  include (id, issue_date, customer_id, currency, exchange_rate, total, amount_credited, amount_paid, amount_refunded)
  where deleted_at is null and state in ('sent', 'partially_paid');

-- context: expenses

create function tally_expense() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    insert into list_changes (organization_id, list, day, kind, state, count)
    values (old.organization_id, 'expenses', old.expense_date, old.category, old.status, -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into list_changes (organization_id, list, day, kind, state, count)
    values (new.organization_id, 'expenses', new.expense_date, new.category, new.status, 1);
  end if;
  return null;
end
$$;

create trigger expenses_tallied after insert or delete on expenses for each row execute function tally_expense();
create trigger expenses_tallied_update after update on expenses for each row
  when ((old.expense_date, old.category, old.status, old.deleted_at)
    is distinct from (new.expense_date, new.category, new.status, new.deleted_at))
  execute function tally_expense();

insert into list_tallies (organization_id, list, day, kind, state, count)
select organization_id, 'expenses', expense_date, category, status, count(*)
from expenses where deleted_at is null group by 1, 2, 3, 4, 5;

-- Costs of counted expenses by day: the sums, and the tax by rate. Draft and rejected expenses do not count.
create table cost_tallies (
  organization_id bigint not null,
  day date not null,
  currency char(3) not null,
  category text not null,
  net numeric not null,
  deductible numeric not null,
  non_deductible_tax numeric not null,
  expenses bigint not null,
  primary key (organization_id, day, currency, category)
) with (fillfactor = 50);

create table cost_tax_tallies (
  organization_id bigint not null,
  day date not null,
  currency char(3) not null,
  category text not null,
  -- Empty for an expense that states its tax, but no rate, because a key needs a value.
  rate text not null,
  taxable numeric not null,
  tax numeric not null,
  deductible numeric not null,
  expenses bigint not null,
  primary key (organization_id, day, currency, category, rate)
) with (fillfactor = 50);

-- Decimals of a currency's amounts, as `exponentOf` has them; a test compares the two.
create function currency_exponent(currency text) returns integer language sql immutable
  return case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI',
      'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    when currency in ('CLF', 'UYW') then 4
    else 2 end;

create function deductible_tax(e expenses) returns numeric language sql immutable
  return case when e.is_vat_deductible
    then round(coalesce(e.tax_amount, 0) * (coalesce(e.vat_deductible_percentage, 100) / 100),
      currency_exponent(e.currency))
    else 0 end;

-- The tax of a deductible expense by rate. The deductible amount is distributed over the rates by rounding the running
-- sums, and the last rate gets the remainder.
create function expense_taxes(e expenses)
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
    select *, case when coalesce(place, 0) = jsonb_array_length(e.tax_rates) then deductible_tax(e)
      else round(sum(tax) over (order by place) * (coalesce(e.vat_deductible_percentage, 100) / 100),
        currency_exponent(e.currency)) end as upto
    from taxed),
  rated as (select *, upto - coalesce(lag(upto) over (order by place), 0) as part from shared)
  select coalesce(trim_scale(rate)::text, ''), sum(taxable), sum(tax), sum(part) from rated group by 1
$$;

create function add_costs(e expenses, change integer) returns void language plpgsql as $$
begin
  if e.deleted_at is not null or e.status in ('draft', 'rejected') then
    return;
  end if;
  insert into cost_tallies as t (organization_id, day, currency, category, net, deductible, non_deductible_tax,
    expenses)
  values (e.organization_id, e.expense_date, e.currency, e.category, change * (e.amount - coalesce(e.tax_amount, 0)),
    change * deductible_tax(e), change * (coalesce(e.tax_amount, 0) - deductible_tax(e)), change)
  on conflict (organization_id, day, currency, category) do update
  set net = t.net + excluded.net, deductible = t.deductible + excluded.deductible,
    non_deductible_tax = t.non_deductible_tax + excluded.non_deductible_tax, expenses = t.expenses + excluded.expenses;
  insert into cost_tax_tallies as t (organization_id, day, currency, category, rate, taxable, tax, deductible, expenses)
  select e.organization_id, e.expense_date, e.currency, e.category, rate, change * taxable, change * tax,
    change * deductible, change
  from expense_taxes(e) order by rate
  on conflict (organization_id, day, currency, category, rate) do update
  set taxable = t.taxable + excluded.taxable, tax = t.tax + excluded.tax,
    deductible = t.deductible + excluded.deductible, expenses = t.expenses + excluded.expenses;
end
$$;

create function tally_costs() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform add_costs(old, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform add_costs(new, 1);
  end if;
  return null;
end
$$;

create trigger expenses_costs after insert or delete on expenses for each row execute function tally_costs();
create trigger expenses_costs_update after update on expenses for each row
  when ((old.expense_date, old.category, old.currency, old.amount, old.tax_amount, old.tax_rates, old.is_vat_deductible,
      old.vat_deductible_percentage, old.deleted_at, old.status in ('draft', 'rejected'))
    is distinct from (new.expense_date, new.category, new.currency, new.amount, new.tax_amount, new.tax_rates,
      new.is_vat_deductible, new.vat_deductible_percentage, new.deleted_at, new.status in ('draft', 'rejected')))
  execute function tally_costs();

insert into cost_tallies (organization_id, day, currency, category, net, deductible, non_deductible_tax, expenses)
select organization_id, expense_date, currency, category, sum(amount - coalesce(tax_amount, 0)), sum(deductible_tax(e)),
  sum(coalesce(tax_amount, 0) - deductible_tax(e)), count(*)
from expenses e where deleted_at is null and status not in ('draft', 'rejected') group by 1, 2, 3, 4;

insert into cost_tax_tallies (organization_id, day, currency, category, rate, taxable, tax, deductible, expenses)
select organization_id, expense_date, currency, category, t.rate, sum(t.taxable), sum(t.tax), sum(t.deductible),
  count(*)
from expenses e, lateral expense_taxes(e) t where deleted_at is null and status not in ('draft', 'rejected')
group by 1, 2, 3, 4, 5;

-- context: banking

-- Imports insert and matchers update many lines at once, so the triggers run once per statement.
create function tally_bank_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_changes (organization_id, list, day, kind, state, count)
    select organization_id, 'bank_transactions', booking_date, bank_account_id::text, status, count(*)
    from added group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into list_changes (organization_id, list, day, kind, state, count)
    select organization_id, 'bank_transactions', booking_date, bank_account_id::text, status, -count(*)
    from removed group by 1, 2, 3, 4, 5;
  else
    insert into list_changes (organization_id, list, day, kind, state, count)
    select organization_id, 'bank_transactions', booking_date, bank_account_id::text, status, sum(change)
    from (
      select organization_id, booking_date, bank_account_id, status, -1 as change from removed
      union all
      select organization_id, booking_date, bank_account_id, status, 1 from added) moved
    group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  end if;
  return null;
end
$$;

create trigger bank_transactions_tallied_insert after insert on bank_transactions
  referencing new table as added for each statement execute function tally_bank_lines();
create trigger bank_transactions_tallied_delete after delete on bank_transactions
  referencing old table as removed for each statement execute function tally_bank_lines();
create trigger bank_transactions_tallied_update after update on bank_transactions
  referencing old table as removed new table as added for each statement execute function tally_bank_lines();

insert into list_tallies (organization_id, list, day, kind, state, count)
select organization_id, 'bank_transactions', booking_date, bank_account_id::text, status, count(*)
from bank_transactions group by 1, 2, 3, 4, 5;
