-- context: organizations
create table organizations (
  id integer generated always as identity primary key,
  name text not null,
  country char(2) not null,
  currency char(3) not null,
  timezone text not null,
  language text not null,
  subdivision_code text,
  settings jsonb not null default '{}',
  address_line1 text,
  address_line2 text,
  city text,
  postal_code text,
  state text,
  contact_name text,
  contact_email text,
  contact_phone text,
  logo text,
  tax_number text,
  registration_number text,
  legal_form text,
  website text,
  plan text not null default 'standard',
  -- Set with the first invoice, quote, expense or credit note: the currency is locked from then on.
  currency_in_use boolean not null default false,
  search text not null,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);

create table members (
  organization_id integer not null references organizations,
  user_id integer not null references users,
  role text not null check (role in ('owner', 'admin', 'accountant', 'member', 'viewer')),
  status text not null check (status in ('invited', 'active')),
  invitation_hash bytea unique,
  invitation_expires_at timestamptz,
  joined_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);

create index members_user on members (user_id);

-- The face of a user that their organizations see, as `credentials` is the one the edge sees.
create view people as select id, name, email from users;
