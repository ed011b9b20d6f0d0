-- context: billing
-- What the status of an invoice is made of, but for the day: sent and partially_paid turn overdue after the due date.
-- The precedence is that of `statusOf`; a property test holds the two together.
alter table invoices add column state text not null generated always as (
  case
    when issued_at is null then 'draft'
    when amount_credited > 0 and amount_credited = total then 'credited'
    when total - amount_credited - amount_paid + amount_refunded <= 0 then 'paid'
    when amount_paid > amount_refunded or amount_credited > 0 then 'partially_paid'
    else 'sent'
  end) stored;

-- How many invoices an organization has, by all that its list is filtered by except the customer. The list reads its
-- total here, and the days on which its page lies, instead of counting a million rows. Kept by triggers in the very
-- statement that writes the invoice; the lock of its journal, which that statement takes first, orders the writers.
create table invoice_tallies (
  organization_id integer not null references organizations,
  state text not null,
  issue_date date not null,
  -- Infinity unless the invoice is open, so that the table grows with the days and not with the invoices.
  due_date date not null,
  count integer not null,
  primary key (organization_id, state, issue_date, due_date)
) with (fillfactor = 50);

create function tallied_due_date(state text, due_date date) returns date language sql immutable
  return case when state in ('sent', 'partially_paid') then due_date else 'infinity' end;

create function tally_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invoice_tallies as t
    select organization_id, state, issue_date, tallied_due_date(state, due_date), count(*)
    from added where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, state, issue_date, due_date) do update set count = t.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into invoice_tallies as t
    select organization_id, state, issue_date, tallied_due_date(state, due_date), -count(*)
    from removed where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, state, issue_date, due_date) do update set count = t.count + excluded.count;
  else
    insert into invoice_tallies as t
    select organization_id, state, issue_date, tallied_due_date(state, due_date), sum(change)
    from (
      select organization_id, state, issue_date, due_date, 1 as change from added where deleted_at is null
      union all
      select organization_id, state, issue_date, due_date, -1 from removed where deleted_at is null) moved
    group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4
    on conflict (organization_id, state, issue_date, due_date) do update set count = t.count + excluded.count;
  end if;
  return null;
end
$$;

create trigger invoices_tallied_insert after insert on invoices
  referencing new table as added for each statement execute function tally_invoices();
create trigger invoices_tallied_update after update on invoices
  referencing old table as removed new table as added for each statement execute function tally_invoices();
create trigger invoices_tallied_delete after delete on invoices
  referencing old table as removed for each statement execute function tally_invoices();

insert into invoice_tallies
  select organization_id, state, issue_date, tallied_due_date(state, due_date), count(*)
  from invoices where deleted_at is null group by 1, 2, 3, 4;

create index invoices_by_state on invoices (organization_id, state, issue_date desc, id desc) include (due_date)
  where deleted_at is null;

-- Covering, so that the invoices of one customer are counted and paged through without reading their rows.
drop index invoices_customer;
create index invoices_customer on invoices (customer_id, issue_date desc, id desc)
  include (organization_id, state, due_date) where deleted_at is null;

-- Covering, so that what is owed is summed without reading the rows.
drop index invoices_due;
create index invoices_due on invoices (organization_id, due_date)
  include (currency, total, amount_credited, amount_paid, amount_refunded)
  where deleted_at is null and state in ('sent', 'partially_paid');

-- Numbers and references are looked up by how they end, whatever separates their letters and digits.
create function search_tail(code text) returns text language sql immutable
  return reverse(upper(regexp_replace(code, '[^0-9A-Za-z]', '', 'g')));

create index invoices_number_tail on invoices (organization_id, search_tail(number) text_pattern_ops)
  where deleted_at is null and number is not null;
create index invoices_reference_tail on invoices (organization_id, search_tail(payment_reference) text_pattern_ops)
  where deleted_at is null and payment_reference is not null;
