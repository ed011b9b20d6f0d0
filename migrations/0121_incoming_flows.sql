-- context: einvoicing
-- Flows that a French platform has for an organization: documents of suppliers, and life cycle messages about the
-- organization's own documents. Each is listed first and downloaded then, so that a broken one delays no other.
create table incoming_flows (
  organization_id integer not null references organizations,
  flow_id text not null,
  kind text not null check (kind in ('document', 'status')),
  submitted_at timestamptz not null,
  -- Failed downloads; flows with fewer of them come first.
  attempts integer not null default 0,
  -- The time at which the flow was stored or read; null while it waits.
  taken_at timestamptz,
  -- The bytes of a life cycle message, which are evidence for each document that it names.
  content bytea,
  -- The names in a document of a supplier that an answer to the supplier repeats.
  document jsonb,
  primary key (organization_id, flow_id)
);
create index incoming_flows_waiting on incoming_flows (organization_id, kind, attempts, submitted_at) where taken_at is null;

-- The statuses in life cycle messages, one for each document that a message names.
create table lifecycle_statuses (
  organization_id integer not null references organizations,
  flow_id text not null,
  position integer not null,
  number text not null,
  document_type text not null check (document_type in ('invoice', 'credit_note')),
  code text not null,
  source text not null check (source in ('network', 'recipient')),
  reason text,
  primary key (organization_id, flow_id, position)
);
create index lifecycle_statuses_number on lifecycle_statuses (organization_id, number);

-- The place up to which the flows of a platform are listed.
create table flow_cursors (
  organization_id integer primary key references organizations,
  -- Flows that changed before this time are listed; null before the first complete list.
  updated_after timestamptz,
  -- The latest change among the pages that were read so far.
  seen_until timestamptz,
  -- The platform's name of the next page; null between two lists.
  page_cursor text
);
