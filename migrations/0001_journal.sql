-- context: platform
-- One row per organization: the head of its audit chain and its last event number. Its row lock orders the chain.
create table journals (
  organization_id integer primary key,
  entries integer not null default 0,
  head text not null default repeat('0', 64),
  events bigint not null default 0
) with (fillfactor = 50);

create table audit_entries (
  organization_id integer not null,
  seq integer not null,
  -- RFC 8785 canonical JSON: the exact bytes that were hashed.
  canonical text not null,
  hash text not null,
  primary key (organization_id, seq)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit chain is append-only';
end
$$;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();

create table outbox (
  organization_id integer not null,
  -- Per organization, without holes: a receiver orders events by it and sees a missing one.
  sequence bigint not null,
  event_id text not null unique,
  type text not null,
  occurred_at timestamptz not null,
  data jsonb not null,
  -- W3C trace context of the request that caused the event.
  traceparent text,
  relayed_at timestamptz,
  primary key (organization_id, sequence)
);

create index outbox_pending on outbox (occurred_at) where relayed_at is null;
