-- context: customers
-- The identifiers of customers, by which a report tells businesses from consumers.
create view customer_identifiers as
select organization_id, id, tax_number, einvoicing_identifier_scheme as scheme, einvoicing_identifier_value as value
from customers;

-- context: einvoicing
-- Periods for which an organization reports its sales or payments to the French tax authority (flow 10). A row stays as
-- it is when the VAT regime of the organization changes, so that no day is reported twice.
create table french_periods (
  organization_id bigint not null references organizations,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null check (kind in ('transactions', 'payments')),
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  due_date date not null,
  -- Digest of the documents and settings at the latest examination; null before the first one.
  basis text,
  -- Documents that the report cannot state, each with the reason.
  problems jsonb not null default '[]',
  primary key (organization_id, environment, kind, period_start)
);

-- Reports of a period: the initial one, and a rectifying one that replaces it after each change.
create table french_reports (
  organization_id bigint not null references organizations,
  -- The identifier by which the platform recognizes a repeated submission.
  id uuid not null,
  environment text not null,
  kind text not null,
  period_start date not null,
  version integer not null,
  type text not null check (type in ('IN', 'RE')),
  status text not null check (status in ('recorded', 'submitted', 'accepted', 'refused')),
  -- Digest of the content without identifier and time, by which a change is noticed.
  content_sha256 text not null,
  xml text not null,
  -- The bytes in the archive; null until they are kept.
  object_id uuid,
  -- The platform's identifier; null until the platform has the report.
  reference text,
  -- The reason of a refusal.
  reason text,
  recorded_at timestamptz not null,
  submitted_at timestamptz,
  answered_at timestamptz,
  -- One process at a time submits the report; the lease of a crashed one runs out.
  claimed_until timestamptz,
  primary key (organization_id, id),
  unique (organization_id, environment, kind, period_start, version),
  foreign key (organization_id, environment, kind, period_start) references french_periods,
  foreign key (organization_id, object_id) references archive_objects (organization_id, id)
);
