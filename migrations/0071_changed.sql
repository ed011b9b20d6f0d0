-- context: customers
-- Lists in the order in which their rows changed, for clients that sync.
create index customers_changed on customers (organization_id, updated_at, id) where deleted_at is null;
create index contacts_changed on contacts (organization_id, updated_at, id) where deleted_at is null;

-- By name without case and accents, the first line of `search`: as much of it as fits an index, whatever the letters.
create index customers_named on customers (organization_id, left(split_part(search, chr(10), 1), 200), id)
  where deleted_at is null;
create index contacts_named on contacts (organization_id, left(split_part(search, chr(10), 1), 200), id)
  where deleted_at is null;

-- context: billing
create index invoices_changed on invoices (organization_id, updated_at, id) where deleted_at is null;
create index quotes_changed on quotes (organization_id, updated_at, id) where deleted_at is null;
create index credit_notes_changed on credit_notes (organization_id, updated_at, id) where deleted_at is null;
create index payments_changed on payments (organization_id, updated_at, id) where deleted_at is null;

-- A draft has no date yet: it comes after all that have one.
create index credit_notes_by_date on credit_notes
  (organization_id, (case when sent_at is null then 'infinity'::date else issue_date end), id)
  where deleted_at is null;

-- context: expenses
create index expenses_changed on expenses (organization_id, updated_at, id) where deleted_at is null;

-- context: einvoicing
create index einvoices_changed on einvoices (organization_id, updated_at, id);

-- context: banking
create index bank_transactions_changed on bank_transactions (organization_id, updated_at, id);
