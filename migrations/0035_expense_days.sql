-- context: expenses

-- The day of a payment is the day in the organization's time zone, by which lines of its bank are compared with it.
create or replace view recorded_expenses as
select e.organization_id, e.id, e.vendor, e.reference, e.currency, e.expense_date,
  (e.paid_at at time zone c.timezone)::date as paid_on, e.amount
from expenses e join clocks c on c.organization_id = e.organization_id
where e.deleted_at is null and e.status = 'paid' and e.bank_transaction_id is null
  and lower(e.payment_method) is distinct from 'cash';
