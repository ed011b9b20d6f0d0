-- context: expenses

-- Purchases that an authority may have to be told about: like reports, without drafts and rejected expenses.
create or replace view untaxed_expenses as
select organization_id, id, version, expense_date, amount, currency, country, vendor, reference
from expenses
where deleted_at is null and status not in ('draft', 'rejected') and coalesce(tax_amount, 0) = 0;
