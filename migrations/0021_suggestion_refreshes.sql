-- context: banking

-- The state of each organization's suggestions of bank lines, which a worker computes anew after documents have changed.
create table suggestion_refreshes (
  organization_id bigint primary key references organizations,
  -- Number of the audit entries at the last refresh: later entries may change suggestions.
  position bigint not null default 0,
  -- Earliest time of the next refresh. A process that refreshes sets a later time, so that no other does the same.
  due_at timestamptz not null default now(),
  -- Time of the last refresh; null before the first one.
  refreshed_at timestamptz,
  -- Milliseconds that the last refresh took.
  duration_ms integer not null default 0
) with (fillfactor = 50);

create function await_suggestions() returns trigger language plpgsql as $$
begin
  insert into suggestion_refreshes (organization_id) values (new.organization_id) on conflict do nothing;
  return null;
end
$$;

create trigger bank_accounts_refreshed after insert on bank_accounts
  for each row execute function await_suggestions();

insert into suggestion_refreshes (organization_id) select distinct organization_id from bank_accounts;

-- The lines whose suggestions are refreshed, and on which a new rule is tried; others may be a hundred times as many.
create index bank_transactions_suggestible on bank_transactions (organization_id, booking_date desc, id desc)
  where status in ('unmatched', 'suggested');
