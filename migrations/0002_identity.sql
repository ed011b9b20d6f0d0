-- context: identity

-- People who can log in.
create table users (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  -- Null until an invited person has chosen a password.
  password_hash text,
  superadmin boolean not null default false,
  primary_organization_id bigint,
  -- Null unless the operator has disabled the account.
  disabled_at timestamptz,
  -- Language of the notices by mail; null until the first login.
  language text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index users_email on users (lower(email));

-- OAuth clients. Removed ones are kept, because tokens and codes in old records refer to them.
create table clients (
  id uuid primary key,
  name text not null,
  -- Null for a public client.
  secret_hash bytea,
  first_party boolean not null,
  password_grant boolean not null default false,
  redirect_uris text[] not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);

-- Authorizations that users gave to clients. Revoking one revokes every token that descends from it.
create table token_families (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  client_id uuid not null references clients,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index token_families_user on token_families (user_id) where revoked_at is null;
-- The earlier of expiry and revocation ends a credential; ended ones are removed.
create index token_families_ended on token_families (least(expires_at, revoked_at));

-- Tokens of users, of clients that act for users, and of organizations.
create table tokens (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('access', 'refresh', 'personal', 'organization')),
  -- SHA-256 of the token; the token itself is shown once and never stored.
  hash bytea not null unique,
  name text,
  user_id bigint references users,
  client_id uuid references clients,
  family_id bigint references token_families,
  organization_id bigint,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The time at which a refresh token was exchanged for its successor.
  rotated_at timestamptz,
  check ((kind = 'organization') = (user_id is null)),
  check (kind <> 'organization' or organization_id is not null),
  check ((kind in ('access', 'refresh')) = (family_id is not null))
);

create index tokens_family on tokens (family_id) where family_id is not null;
create index tokens_user on tokens (user_id) where revoked_at is null;
create index tokens_organization on tokens (organization_id) where kind = 'organization';
create index tokens_ended on tokens (least(expires_at, revoked_at)) where kind <> 'refresh';

-- Authorization codes of the OAuth code flow, each of which a client exchanges for tokens once.
create table authorization_codes (
  hash bytea primary key,
  client_id uuid not null references clients,
  user_id bigint not null references users,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  family_id bigint references token_families
);

create index authorization_codes_user on authorization_codes (user_id) where used_at is null;
create index authorization_codes_unused on authorization_codes (expires_at) where family_id is null;
create index authorization_codes_family on authorization_codes (family_id) where family_id is not null;

-- Browser sessions.
create table sessions (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  user_id bigint not null references users,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- True between the password and the second step; such a session opens no page but that of the second step.
  second_step_due boolean not null default false,
  -- The time at which the user last proved their identity in this session.
  authenticated_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- The network of the browser, such as 203.0.113.0/24; null when the address is unknown.
  network text
);

create index sessions_user on sessions (user_id) where revoked_at is null;
create index sessions_ended on sessions (least(expires_at, revoked_at));

-- Failed logins by account and by address. The delay doubles with each further failure.
create table login_failures (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  updated_at timestamptz not null default now()
);

create index login_failures_age on login_failures (updated_at);

-- Browsers that have logged in. Each counts its own wrong passwords, so that those of strangers do not delay it.
create table login_devices (
  hash bytea primary key,
  user_id bigint not null references users,
  -- Wrong passwords since the last login.
  failures integer not null default 0,
  expires_at timestamptz not null
);

create index login_devices_age on login_devices (expires_at);

-- Links that set a new password. Each works once; the database holds only the hash of its token.
create table password_resets (
  hash bytea primary key,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Null while the link works.
  used_at timestamptz
);

create index password_resets_user on password_resets (user_id, created_at);
create index password_resets_age on password_resets (expires_at);

-- Time-based one-time passwords (RFC 6238), with encrypted secrets.
create table second_factors (
  user_id bigint primary key references users,
  sealed_secret text not null,
  -- Null until the user has entered a first code; until then the login asks for none.
  confirmed_at timestamptz,
  -- Time step of the latest accepted code: a code of this step or an earlier one is refused.
  last_step bigint not null default 0
);

-- Hashes of the codes that replace a lost second factor.
create table recovery_codes (
  user_id bigint not null references users,
  hash bytea not null,
  -- Null while the code works.
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Live tokens without their secrets; the only part of identity that the edge reads.
create view credentials as
select t.hash, t.id as token_id, t.kind, t.user_id, t.client_id, t.family_id, t.organization_id, t.scopes
from tokens t
where t.kind <> 'refresh' and t.revoked_at is null and (t.expires_at is null or t.expires_at > now());
