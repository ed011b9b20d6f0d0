-- context: identity
create table users (
  id integer generated always as identity primary key,
  name text not null,
  email text not null,
  -- Null until an invited person has chosen one.
  password_hash text,
  superadmin boolean not null default false,
  primary_organization_id integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index users_email on users (lower(email));

create table clients (
  id uuid primary key,
  name text not null,
  -- Null for a public client.
  secret_hash bytea,
  first_party boolean not null,
  password_grant boolean not null default false,
  redirect_uris text[] not null,
  scopes text[] not null,
  created_at timestamptz not null default now()
);

-- One authorization a user gave to a client: every token that descends from it is revoked with it.
create table token_families (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  client_id uuid not null references clients,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index token_families_user on token_families (user_id) where revoked_at is null;

create table tokens (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('access', 'refresh', 'personal', 'organization')),
  -- SHA-256 of the token; the token itself is shown once and never stored.
  hash bytea not null unique,
  name text,
  user_id integer references users,
  client_id uuid references clients,
  family_id integer references token_families,
  organization_id integer,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- When a refresh token was exchanged for its successor.
  rotated_at timestamptz,
  check ((kind = 'organization') = (user_id is null)),
  check (kind <> 'organization' or organization_id is not null),
  check ((kind in ('access', 'refresh')) = (family_id is not null))
);

create index tokens_family on tokens (family_id) where family_id is not null;
create index tokens_user on tokens (user_id) where revoked_at is null;
create index tokens_organization on tokens (organization_id) where kind = 'organization';

-- What the edge may know of a live token; the only part of identity that another context reads in SQL.
create view credentials as
select t.hash, t.id as token_id, t.kind, t.user_id, t.client_id, t.family_id, t.organization_id, t.scopes
from tokens t
where t.kind <> 'refresh' and t.revoked_at is null and (t.expires_at is null or t.expires_at > now());

create table authorization_codes (
  hash bytea primary key,
  client_id uuid not null references clients,
  user_id integer not null references users,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  family_id integer references token_families
);

create index authorization_codes_user on authorization_codes (user_id) where used_at is null;

create table sessions (
  id integer generated always as identity primary key,
  hash bytea not null unique,
  user_id integer not null references users,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index sessions_user on sessions (user_id) where revoked_at is null;

-- Failed logins per account and per address; the delay doubles with each further failure.
create table login_failures (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  updated_at timestamptz not null default now()
);
