-- context: organizations
-- An organization as the work of the clock sees it: whose day it is where. An archived one is only read.
create view clocks as
select id as organization_id, timezone from organizations where archived_at is null;

-- context: billing
-- The deadline whose passing the journal holds; null until one has passed. Another deadline passes once more.
alter table invoices add column announced_due_date date;
alter table quotes add column announced_valid_until date;

create index invoices_falling_due on invoices (due_date, id)
  where deleted_at is null and state in ('sent', 'partially_paid') and announced_due_date is distinct from due_date;
create index quotes_expiring on quotes (valid_until, id)
  where deleted_at is null and status = 'sent' and announced_valid_until is distinct from valid_until;

create index document_links_undelivered on document_links (expires_at) where delivered_at is null;

-- context: identity
-- When a credential ended, whichever way came first, for clearing it away.
create index token_families_ended on token_families (least(expires_at, revoked_at));
create index tokens_ended on tokens (least(expires_at, revoked_at)) where kind <> 'refresh';
create index sessions_ended on sessions (least(expires_at, revoked_at));
create index authorization_codes_unused on authorization_codes (expires_at) where family_id is null;
create index authorization_codes_family on authorization_codes (family_id) where family_id is not null;
create index login_failures_age on login_failures (updated_at);
