-- context: organizations
-- The contact is on e-invoices (EN 16931, BT-41).
create or replace view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_name', contact_name,
    'contact_email', contact_email, 'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic') as printed
from organizations;

-- context: einvoicing
-- Submissions of invoices to a network. One of an invoice is live at a time; what failed or was rejected stays.
create table einvoices (
  id integer generated always as identity primary key,
  organization_id integer not null references organizations,
  invoice_id integer not null references invoices,
  number text not null,
  provider text not null,
  profile text not null,
  -- What the network knows it by: the same on every attempt.
  transmission_id uuid not null,
  sender_scheme text not null,
  sender_value text not null,
  recipient jsonb not null,
  status text not null
    check (status in ('pending', 'submitted', 'sent', 'delivered', 'accepted', 'rejected', 'failed')),
  network_status text,
  network_reference text,
  reason text,
  retryable boolean,
  xml_sha256 text not null,
  -- Until it is archived.
  xml text,
  xml_object_id uuid,
  -- When the network is asked next what became of it; null when it need not be.
  next_poll_at timestamptz,
  polls integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (xml is not null or xml_object_id is not null)
);
create unique index einvoices_live on einvoices (organization_id, invoice_id)
  where status not in ('rejected', 'failed');
create index einvoices_list on einvoices (organization_id, id desc);
create index einvoices_due on einvoices (next_poll_at) where next_poll_at is not null;

-- What happened to a submission, by the message that told it. The network hands out messages many times.
create table einvoice_messages (
  organization_id integer not null references organizations,
  einvoice_id integer not null references einvoices,
  position integer generated always as identity,
  message_id text not null,
  at timestamptz not null,
  status text not null,
  code text,
  source text not null,
  receipt_type text,
  receipt_sha256 text,
  archive_object_id uuid,
  primary key (organization_id, einvoice_id, message_id)
);
