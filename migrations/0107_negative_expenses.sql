-- context: expenses
-- A negative expense is a supplier's credit note or refund; its tax is negative, too.
alter table expenses
  drop constraint expenses_amount_check,
  drop constraint expenses_check,
  add check (amount <> 0),
  add check (tax_amount * sign(amount) between 0 and abs(amount));

-- Expenses that are to be paid; a supplier owes a negative one.
create or replace view payables as
select organization_id, id, vendor, reference, currency, expense_date, amount
from expenses where deleted_at is null and status in ('pending', 'approved') and amount > 0;
