-- context: platform
-- Unlogged: a crash may forget at most one minute of counting.
create unlogged table rate_windows (
  key text primary key,
  started_at timestamptz not null,
  used integer not null
) with (fillfactor = 50);

create table idempotency_keys (
  organization_id integer not null,
  principal text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  status integer not null,
  headers jsonb not null,
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, principal, route, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);
