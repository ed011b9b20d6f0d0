-- context: platform

-- The head of each organization's audit chain and the number of its last event. A writer locks the row of its
-- organization, which gives the entries of the chain their order.
create table journals (
  organization_id bigint primary key,
  entries bigint not null default 0,
  head text not null default repeat('0', 64),
  events bigint not null default 0
) with (fillfactor = 50);

-- The audit chain of each organization: every entry is hashed together with the hash of the entry before.
create table audit_entries (
  organization_id bigint not null,
  seq bigint not null,
  -- Canonical JSON (RFC 8785): the exact bytes that were hashed.
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

-- Events, each written in the transaction that caused it and relayed to webhooks afterwards. The ids of events are
-- random UUIDs that no statement looks up, so they have no index. An event of an invoice fits a page as it is, and
-- compressing it would cost more than its bytes.
create table outbox (
  organization_id bigint not null,
  -- Numbers the events of an organization without holes: a receiver orders events by it and sees a missing one.
  sequence bigint not null,
  event_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  data jsonb not null,
  -- W3C trace context of the request that caused the event.
  traceparent text,
  relayed_at timestamptz,
  -- The order in which the events of all organizations were written.
  position bigint generated always as identity,
  primary key (organization_id, sequence)
) with (toast_tuple_target = 8160);

create index outbox_pending on outbox (position) where relayed_at is null;
create index outbox_relayed on outbox (relayed_at) where relayed_at is not null;

-- Requests that a user, token or address has made in its present minute. The table is unlogged: a crash may forget at
-- most one minute of counting.
create unlogged table rate_windows (
  key text primary key,
  started_at timestamptz not null,
  used integer not null
) with (fillfactor = 50);

-- Idempotency keys with the answers that their repeats get. A key is reserved with a lease before its request works.
-- The answer follows, in the transaction of the business write where there is one.
create table idempotency_keys (
  organization_id bigint not null,
  principal text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  status integer,
  headers jsonb,
  created_at timestamptz not null default now(),
  -- Encrypted, because an answer may hold a secret that is shown once.
  sealed_body text,
  -- The same for every request that takes the lease over.
  operation text not null,
  owner text not null,
  leased_until timestamptz not null,
  primary key (organization_id, principal, route, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);

-- The table of effect's persisted queue. It is created here, so that processes that start at the same time find it.
create table jobs (
  sequence bigserial primary key,
  id varchar(255) not null,
  queue_name varchar(255) not null,
  element text not null,
  attempts integer not null default 0,
  last_failure text,
  acquired_at timestamp,
  acquired_by uuid,
  created_at timestamp not null,
  updated_at timestamp not null,
  -- pending, completed, or failed, which is a dead letter.
  state varchar(10) not null,
  visible_at timestamp not null,
  -- Jobs of one queue take turns between organizations: a job that names one is offered with a visible_at behind the
  -- jobs of its own organization and beside those of the others. Null for a job that waits in the order of its offer.
  organization_id bigint
);

create unique index idx_jobs_id on jobs (id, queue_name);
create index idx_jobs_update on jobs (sequence, acquired_by);
create index idx_jobs_take on jobs (queue_name, visible_at) where state = 'pending';
create index jobs_dead on jobs (queue_name, sequence) where state = 'failed';
create index jobs_turns on jobs (queue_name, organization_id, visible_at)
  where state = 'pending' and organization_id is not null;

-- The migrations that effect's persisted queue regards as applied to its table.
create table jobs_migrations (
  migration_id integer primary key,
  created_at timestamp with time zone not null default now(),
  name varchar(255) not null
);

insert into jobs_migrations (migration_id, name) values (1, 'create_table'), (2, 'upgrade_schema');

-- Contents whose PDF could not be made within the limits of time and memory, for all processes and across restarts.
create table pdf_failures (
  organization_id bigint not null,
  -- SHA-256 of the template and its data.
  content bytea not null,
  failures integer not null,
  failed_at timestamptz not null,
  primary key (organization_id, content)
);

create index pdf_failures_failed_at on pdf_failures (failed_at);
