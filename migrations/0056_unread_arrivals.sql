-- context: einvoicing

-- Documents that a network holds and that could not be fetched, read or stored. Each of them waits until retry_at, so
-- that it does not delay the documents after it; the row is deleted once the document is stored.
create table unread_arrivals (
  organization_id bigint not null references organizations,
  provider text not null,
  transmission_id text not null,
  attempts integer not null default 1,
  -- The attempts that failed because the document could not be read.
  read_attempts integer not null,
  failed_step text not null check (failed_step in ('fetch', 'read', 'store')),
  problem text not null,
  retry_at timestamptz not null default clock_timestamp() + interval '1 minute',
  primary key (organization_id, provider, transmission_id)
);
