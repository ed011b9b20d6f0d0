-- context: banking
-- The keyed request that an import was made for; null for a request without a key.
alter table bank_imports add column operation text;
create unique index bank_imports_operation on bank_imports (organization_id, operation) where operation is not null;

-- context: einvoicing
-- The keyed request that a registration was made for; null for a request without a key.
alter table einvoicing_registrations add column operation text;
create unique index einvoicing_registrations_operation on einvoicing_registrations (organization_id, operation)
  where operation is not null;

-- Organizations whose registration is changed right now: the change waits for a network, outside of any transaction.
create table einvoicing_changes (
  organization_id integer primary key references organizations,
  holder text not null,
  expires_at timestamptz not null
);
