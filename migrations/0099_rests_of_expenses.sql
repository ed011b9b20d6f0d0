-- context: expenses

-- True if the expense was marked as paid by hand after bank lines had paid a part of it. Later changes keep the value,
-- so `recorded_expenses` also compares the amounts.
alter table expenses add column is_rest_recorded boolean not null default false;

create function note_recorded_rest() returns trigger language plpgsql as $$
begin
  new.is_rest_recorded := true;
  return new;
end
$$;

-- A bank line that marks an expense as paid becomes the expense's line.
create trigger expenses_rest_recorded before update of status on expenses for each row
  when (new.status = 'paid' and old.status <> 'paid' and new.bank_transaction_id = old.bank_transaction_id)
  execute function note_recorded_rest();

update expenses e set is_rest_recorded = true
where e.status = 'paid' and e.bank_transaction_id is not null
  and abs(e.amount) > (
    select sum(abs(m.amount)) from bank_matches m
    where m.organization_id = e.organization_id and m.expense_id = e.id and m.undone_at is null);

create index expenses_rests on expenses (organization_id) where status = 'paid' and is_rest_recorded;

-- Expenses that were marked as paid without a bank line. If lines had paid a part of an expense before, `amount` is the
-- rest of it.
create or replace view recorded_expenses as
select e.organization_id, e.id, e.vendor, e.reference, e.currency, e.expense_date,
  (e.paid_at at time zone c.timezone)::date as paid_on, e.amount
from expenses e join clocks c on c.organization_id = e.organization_id
where e.deleted_at is null and e.status = 'paid' and e.bank_transaction_id is null
  and lower(e.payment_method) is distinct from 'cash'
union all
select e.organization_id, e.id, e.vendor, e.reference, e.currency, e.expense_date,
  (e.paid_at at time zone c.timezone)::date, (e.amount - sign(e.amount) * matched.amount)::numeric(18, 6)
from expenses e join clocks c on c.organization_id = e.organization_id
  cross join lateral (
    select sum(abs(m.amount)) as amount from bank_matches m
    where m.organization_id = e.organization_id and m.expense_id = e.id and m.undone_at is null) matched
where e.status = 'paid' and e.is_rest_recorded and e.bank_transaction_id is not null
  and abs(e.amount) > matched.amount and lower(e.payment_method) is distinct from 'cash';
