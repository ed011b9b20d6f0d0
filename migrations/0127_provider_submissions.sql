-- context: einvoicing
-- Submissions to providers that do not recognize a repeated one. Each is recorded before its request leaves, so that
-- a crash or a lost answer is settled by asking the provider, and never by sending the document again.
create table provider_submissions (
  organization_id integer not null references organizations,
  transmission_id uuid not null,
  attempted_at timestamptz not null,
  -- The provider's identifier of the document; null while the outcome is unknown.
  reference text,
  accepted_at timestamptz,
  primary key (organization_id, transmission_id)
);
