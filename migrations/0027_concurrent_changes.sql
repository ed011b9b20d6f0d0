-- context: billing

-- The state of a quote before its conversion, to which it returns if its invoice is deleted. Null if the quote is not
-- converted, or was converted by an earlier version.
alter table quotes add column converted_from text check (converted_from in ('draft', 'sent', 'accepted'));

-- Customers with documents other than drafts. Credit notes belong to issued invoices.
create view documented_customers as
select organization_id, customer_id as id from invoices where deleted_at is null and issued_at is not null
union all
select organization_id, customer_id from quotes where deleted_at is null and number is not null;

-- context: operations

-- The number of runs that were started. A run that another one has replaced records nothing any more.
alter table operations add column runs integer not null default 0;

-- context: expenses

-- The lines of draft invoices that bill expenses.
create view billed_lines as
select organization_id, billed_invoice_id as invoice_id, billed_item_id as id, currency
from expenses where billed_invoice_id is not null;

-- context: einvoicing

-- The time until which a request has the document to itself to answer it; null if none has.
alter table received_documents add column claimed_until timestamptz;
