-- context: einvoicing
-- The simulated network was the only one until now, so every registration and every document so far belongs to it.
alter table einvoicing_registrations
  add column environment text not null default 'sandbox' check (environment in ('production', 'sandbox'));
alter table einvoices
  add column environment text not null default 'sandbox' check (environment in ('production', 'sandbox'));

alter table einvoicing_registrations alter column environment drop default;
alter table einvoices alter column environment drop default;
