-- context: billing
-- What was sent to whom: each message carries a link of its own, and a link opens one document.
create table document_links (
  -- SHA-256 of the token; the token itself is only in the message.
  hash bytea primary key,
  id integer generated always as identity unique,
  organization_id integer not null references organizations,
  document text not null check (document in ('invoice', 'quote', 'credit_note')),
  document_id integer not null,
  recipient text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the mail server took the message; null while under way, after a crash, and when it was refused.
  delivered_at timestamptz,
  revoked_at timestamptz
);

create index document_links_document on document_links (organization_id, document, document_id);

-- Documents that are being sent right now. A row past its time belongs to a process that died.
create table document_sendings (
  organization_id integer not null references organizations,
  document text not null check (document in ('invoice', 'quote', 'credit_note')),
  document_id integer not null,
  holder text not null,
  expires_at timestamptz not null,
  primary key (organization_id, document, document_id)
);
