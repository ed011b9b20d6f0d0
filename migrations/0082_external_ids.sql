-- context: customers
-- The id that a client's own system has for a record, and the pairs of text that it keeps with the record.
alter table customers add column external_id text, add column metadata jsonb not null default '{}';
alter table contacts add column external_id text, add column metadata jsonb not null default '{}';

-- A deleted record gives its external id up.
create unique index customers_external_id on customers (organization_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index contacts_external_id on contacts (organization_id, external_id)
  where external_id is not null and deleted_at is null;

-- context: billing
alter table invoices add column external_id text, add column metadata jsonb not null default '{}';
alter table quotes add column external_id text, add column metadata jsonb not null default '{}';
alter table credit_notes add column external_id text, add column metadata jsonb not null default '{}';
alter table payments add column external_id text, add column metadata jsonb not null default '{}';

create unique index invoices_external_id on invoices (organization_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index quotes_external_id on quotes (organization_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index credit_notes_external_id on credit_notes (organization_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index payments_external_id on payments (organization_id, external_id)
  where external_id is not null and deleted_at is null;

-- context: expenses
alter table expenses add column external_id text, add column metadata jsonb not null default '{}';

create unique index expenses_external_id on expenses (organization_id, external_id)
  where external_id is not null and deleted_at is null;
