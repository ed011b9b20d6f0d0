-- context: einvoicing
-- Accounts of organizations at access points and authorities, with sealed credentials, and the health of each.
create table provider_connections (
  organization_id integer not null references organizations,
  provider text not null,
  adapter text not null,
  -- The account at the provider. Two organizations with the same account would receive each other's documents.
  account text not null,
  environment text not null check (environment in ('production', 'sandbox')),
  sealed_settings text not null,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  last_exchange_at timestamptz,
  -- The sentence of the latest failure; null after a success.
  last_error text,
  last_error_at timestamptz,
  -- The provider asked for silence until this time.
  paused_until timestamptz,
  primary key (organization_id, provider),
  unique (adapter, account)
);
