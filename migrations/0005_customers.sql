-- context: customers
create extension if not exists pg_trgm;

create table customers (
  id integer generated always as identity primary key,
  organization_id integer not null references organizations,
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
  -- Set with the first issued document, by billing's own transaction: the customer must be kept from then on.
  has_documents boolean not null default false,
  -- Name, email and tax number without case and accents.
  search text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  unique (organization_id, id),
  check ((einvoicing_identifier_scheme is null) = (einvoicing_identifier_value is null))
);

create index customers_listed on customers (organization_id, id desc) where deleted_at is null;
create index customers_search on customers using gin (search gin_trgm_ops) where deleted_at is null;

create table contacts (
  id integer generated always as identity primary key,
  organization_id integer not null,
  customer_id integer not null,
  name text not null,
  email text,
  phone text,
  position text,
  notes text,
  is_primary boolean not null default false,
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

-- A customer as billing sees them; deleted ones stay on their documents.
create view debtors as
select organization_id, id, name, deleted_at is null as active from customers;
