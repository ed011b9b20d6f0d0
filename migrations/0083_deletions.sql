-- context: customers
-- Lists of deleted records in the order of their deletion, for clients that sync.
create index customers_deletions on customers (organization_id, deleted_at, id) where deleted_at is not null;
create index contacts_deletions on contacts (organization_id, deleted_at, id) where deleted_at is not null;

-- Billing finds documents by the name of their customer, which is the first line of `search`. A deleted customer still
-- has drafts, so the index covers deleted customers, too.
create or replace view debtors as
select organization_id, id, name, deleted_at is null as active,
  case when deleted_at is null
    then jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
      'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'tax_number', tax_number,
      'language', language)
    else jsonb_build_object('name', name)
  end as printed,
  search
from customers;

drop index customers_search;
create index customers_search on customers using gin (search gin_trgm_ops);

-- context: billing
create index invoices_deletions on invoices (organization_id, deleted_at, id) where deleted_at is not null;
create index quotes_deletions on quotes (organization_id, deleted_at, id) where deleted_at is not null;
create index credit_notes_deletions on credit_notes (organization_id, deleted_at, id) where deleted_at is not null;
create index payments_deletions on payments (organization_id, deleted_at, id) where deleted_at is not null;

-- context: expenses
create index expenses_deletions on expenses (organization_id, deleted_at, id) where deleted_at is not null;
