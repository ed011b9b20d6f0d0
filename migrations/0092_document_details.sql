-- context: billing
-- `details` holds the optional fields of a document that nothing adds up, without those that are unset. Discounts and
-- charges on the whole document are a snapshot like its lines. Older documents have none of these.
alter table invoices
  add column details jsonb not null default '{}',
  add column discounts jsonb not null default '[]',
  add column charges jsonb not null default '[]',
  add column charge_total numeric(18, 6) not null default 0 check (charge_total >= 0);
alter table quotes
  add column details jsonb not null default '{}',
  add column discounts jsonb not null default '[]',
  add column charges jsonb not null default '[]',
  add column charge_total numeric(18, 6) not null default 0 check (charge_total >= 0);
alter table credit_notes add column details jsonb not null default '{}';
