-- context: einvoicing
-- Chains of the invoice records that Spanish law wants (VERI*FACTU). Each record states the hash of the one before it,
-- so the row of the chain is locked while a record is written.
create table verifactu_chains (
  organization_id integer not null references organizations,
  environment text not null check (environment in ('production', 'sandbox')),
  -- The position of the latest record.
  position integer not null default 0,
  -- One process at a time sends the records of a chain.
  leased_until timestamptz,
  -- The AEAT asked for silence until this time.
  next_send_at timestamptz,
  primary key (organization_id, environment)
);
create table verifactu_records (
  organization_id integer not null,
  environment text not null,
  position integer not null,
  kind text not null check (kind in ('registration', 'cancellation')),
  transmission_id uuid not null,
  issuer text not null,
  issuer_name text not null,
  number text not null,
  issue_date date not null,
  generated_at timestamptz not null,
  hash text not null,
  xml text not null,
  -- `kept` records stay here, because their organization does not send any.
  state text not null check (state in ('waiting', 'kept', 'accepted', 'accepted_with_errors', 'rejected')),
  -- The time of the latest attempt to send; null before the first one.
  attempted_at timestamptz,
  answered_at timestamptz,
  reference text,
  code text,
  reason text,
  -- The part of the answer about this record.
  answer text,
  -- The bodies as they went over the wire, with one record of each envelope.
  request text,
  response text,
  primary key (organization_id, environment, position),
  unique (organization_id, environment, transmission_id, kind),
  foreign key (organization_id, environment) references verifactu_chains
);
create index verifactu_records_waiting on verifactu_records (organization_id, environment, position)
  where state = 'waiting';
create index verifactu_records_number on verifactu_records (organization_id, environment, number);
