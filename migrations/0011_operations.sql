-- context: operations

-- Work that was ordered with `Prefer: respond-async`. Its input and its answer are JSON as text, because a text of a
-- request may contain U+0000, which jsonb refuses.
create table operations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('batch_create', 'batch_send', 'statement_import')),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  -- True when its job is in the queue: the operations of an organization take turns.
  offered boolean not null,
  caller jsonb not null,
  -- The keyed request that ordered the operation; null for a request without a key.
  origin text,
  input text,
  -- A statement file, which commits together with its operation.
  file bytea,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  results text,
  error text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  unique (organization_id, id),
  check ((completed_at is null) = (status in ('queued', 'running')))
);

create unique index operations_origin on operations (organization_id, origin) where origin is not null;
create index operations_unended on operations (organization_id, id) where completed_at is null;
create index operations_ended on operations (completed_at) where completed_at is not null;

-- The results of operations that have not ended; each commits with the write that it reports.
create table operation_items (
  organization_id bigint not null,
  operation_id bigint not null,
  position integer not null,
  failed boolean not null,
  result text not null,
  primary key (organization_id, operation_id, position),
  foreign key (organization_id, operation_id) references operations (organization_id, id) on delete cascade
);
