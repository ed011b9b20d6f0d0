-- context: customers

create extension if not exists pg_trgm;

-- Customers of an organization.
create table customers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null,
  email text,
  phone text,
  website text,
  tax_number text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  postal_code text,
  country char(2),
  billing_subdivision_code text,
  shipping_subdivision_code text,
  language text,
  currency char(3),
  notes text,
  einvoicing_identifier_scheme text,
  einvoicing_identifier_value text,
  einvoicing_identifier_verified boolean not null default false,
  -- The time at which the network last confirmed the identifier; meaningless while the identifier is not verified.
  einvoicing_identifier_verified_at timestamptz,
  -- Set with the first issued document, by billing's own transaction: the customer must be kept from then on.
  has_documents boolean not null default false,
  -- The id that a client's own system has for the record, and the pairs of text that it keeps with the record.
  external_id text,
  metadata jsonb not null default '{}',
  -- Name, email and tax number without case and accents, each on a line.
  search text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  unique (organization_id, id),
  check ((einvoicing_identifier_scheme is null) = (einvoicing_identifier_value is null))
);

create index customers_listed on customers (organization_id, id desc) where deleted_at is null;
-- A deleted customer still has drafts, which are found by its name, so this index covers deleted customers, too.
create index customers_search on customers using gin (search gin_trgm_ops);
-- Lists in the order in which records changed or were deleted, for clients that sync.
create index customers_changed on customers (organization_id, updated_at, id) where deleted_at is null;
create index customers_deletions on customers (organization_id, deleted_at, id) where deleted_at is not null;
-- The name without case and accents is the first line of `search`; 200 characters of any script fit an index.
create index customers_named on customers (organization_id, left(split_part(search, chr(10), 1), 200), id)
  where deleted_at is null;
-- A deleted record gives its external id up.
create unique index customers_external_id on customers (organization_id, external_id)
  where external_id is not null and deleted_at is null;

-- Persons to turn to at a customer.
create table contacts (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  customer_id bigint not null,
  name text not null,
  email text,
  phone text,
  position text,
  notes text,
  is_primary boolean not null default false,
  external_id text,
  metadata jsonb not null default '{}',
  search text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);

create index contacts_listed on contacts (organization_id, id desc) where deleted_at is null;
create index contacts_customer on contacts (customer_id) where deleted_at is null;
create unique index contacts_one_primary on contacts (customer_id) where is_primary and deleted_at is null;
create index contacts_changed on contacts (organization_id, updated_at, id) where deleted_at is null;
create index contacts_deletions on contacts (organization_id, deleted_at, id) where deleted_at is not null;
create index contacts_named on contacts (organization_id, left(split_part(search, chr(10), 1), 200), id)
  where deleted_at is null;
create unique index contacts_external_id on contacts (organization_id, external_id)
  where external_id is not null and deleted_at is null;

-- Customers as billing reads them. A document of a deleted customer prints no more than the name, and only drafts still
-- read it from here. Billing finds documents by the name of their customer, which is the first line of `search`.
create view debtors as
select organization_id, id, name, deleted_at is null as active,
  case when deleted_at is null
    then jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
      'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'tax_number', tax_number,
      'language', language)
    else jsonb_build_object('name', name)
  end as printed,
  search
from customers;

-- The identifiers of customers, by which a report tells businesses from consumers.
create view customer_identifiers as
select organization_id, id, tax_number, einvoicing_identifier_scheme as scheme, einvoicing_identifier_value as value
from customers;
