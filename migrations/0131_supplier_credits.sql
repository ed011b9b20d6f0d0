-- context: expenses
-- Credit notes of suppliers that are to be paid back, with positive amounts.
create view supplier_credits as
select organization_id, id, vendor, reference, currency, expense_date, -amount as amount
from expenses where deleted_at is null and status in ('pending', 'approved') and amount < 0;
