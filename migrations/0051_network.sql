-- context: einvoicing
-- The sandbox: what a network outside would keep for itself. No row belongs to an organization of this service, so none
-- names one by its key: `account` is the number under which the network knows it.
create table network_entities (
  account integer primary key,
  provider text not null,
  legal_name text not null,
  country_code char(2) not null,
  acts_as_sender boolean not null,
  acts_as_receiver boolean not null,
  document_types jsonb not null,
  -- First day on which documents can be sent to it; null: at once.
  routable_from date
);

-- An address leads to one entity.
create table network_addresses (
  scheme text not null,
  value text not null,
  account integer not null references network_entities on delete cascade,
  primary key (scheme, value)
);

create index network_addresses_account on network_addresses (account);

create table network_transmissions (
  transmission_id uuid primary key,
  attempts integer not null,
  -- Everything below: once it was taken.
  reference uuid,
  accepted_at timestamptz,
  sender text,
  number text,
  document_type text,
  sha256 text,
  created_at timestamptz not null default now(),
  check ((accepted_at is null) = (reference is null))
);

create index network_transmissions_numbers on network_transmissions (sender, number, document_type)
  where accepted_at is not null;

-- What the network is going to say, each at its time.
create table network_messages (
  id uuid primary key,
  transmission_id uuid not null references network_transmissions on delete cascade,
  position integer not null,
  at timestamptz not null,
  code text not null,
  source text not null check (source in ('network', 'recipient', 'authority')),
  progress text check (progress in ('submitted', 'sent', 'delivered', 'accepted', 'rejected', 'failed')),
  reason text,
  receipt_type text not null,
  receipt bytea not null,
  unique (transmission_id, position)
);
