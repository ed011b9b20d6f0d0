-- context: organizations

-- Organizations with their profile, which is printed on their documents, and their settings.
create table organizations (
  id bigint generated always as identity primary key,
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
  -- The hash of the present logo.
  logo text,
  tax_number text,
  registration_number text,
  legal_form text,
  -- Laws of some countries require these six on invoices; null means unknown.
  register_court text,
  share_capital text,
  managing_directors text,
  national_tax_number text,
  late_payment_penalty text,
  early_payment_discount text,
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

-- Logos as PNG under their hashes. Replaced logos stay, because issued documents print the logo of their time.
create table organization_logos (
  organization_id bigint not null references organizations,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  png bytea not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, sha256)
);

-- The two tables refer to each other.
alter table organizations add foreign key (id, logo) references organization_logos (organization_id, sha256);

-- Users of an organization with their roles, among them those who are invited and have not answered yet.
create table members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
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

-- A writer checks the lock date that it read when its request began. This function runs after the writer has locked the
-- audit log, which every move of the lock date also locks, so that it sees a later date that is already committed. The
-- request then fails like a serialization failure, and its repetition is checked with the later date.
create function require_known_lock(organization bigint, known date) returns boolean language plpgsql as $$
declare
  locked_until date;
begin
  select (settings ->> 'books_locked_until')::date into locked_until from organizations where id = organization;
  if locked_until > coalesce(known, '-infinity') then
    raise exception 'the books of organization % were locked meanwhile', organization
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;

-- The columns of users that other members of their organizations see.
create view people as select id, name, email from users;

-- Time zones for the work that follows the calendar of an organization. Archived organizations have no such work.
create view clocks as
select id as organization_id, timezone from organizations where archived_at is null;

-- The particulars that a document prints of the organization that issues it.
create view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_name', contact_name,
    'contact_email', contact_email, 'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'currency', currency, 'register_court', register_court, 'share_capital', share_capital,
    'managing_directors', managing_directors, 'national_tax_number', national_tax_number,
    'late_payment_penalty', late_payment_penalty, 'early_payment_discount', early_payment_discount,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic',
    'logo', logo, 'brand_color', settings ->> 'brand_color', 'document_footer', settings ->> 'document_footer'
  ) as printed
from organizations;
