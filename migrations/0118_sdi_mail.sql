-- context: einvoicing
-- The channel of organizations to the Sistema di Interscambio (SdI) by certified mail (PEC).
-- The name of each file is reserved before the file is sent, because the SdI refuses a name that it has seen.
create table sdi_files (
  organization_id integer not null references organizations,
  transmission_id uuid not null,
  file_name text not null unique,
  -- The Message-ID of the mail, which the receipts of the mail provider name.
  message_id text not null,
  sha256 text not null,
  reserved_at timestamptz not null,
  -- The attempts that may have reached the SdI.
  attempts integer not null,
  primary key (organization_id, transmission_id)
);

-- How far the mailbox of an organization is read.
create table sdi_mailboxes (
  organization_id integer primary key references organizations,
  account text not null,
  -- A server that numbers its messages anew changes this value (RFC 3501, 2.3.1.1).
  uid_validity double precision not null,
  last_uid double precision not null,
  -- Older mail is not read.
  since date not null,
  -- The address that the SdI assigned to the organization; null before its first receipt.
  sdi_address text
);

-- Receipts and incoming files that were found in the mailbox.
create table sdi_messages (
  -- The order in which the mailbox got the messages.
  id bigint generated always as identity,
  organization_id integer not null references organizations,
  -- The Message-ID of the mail.
  message_id text not null,
  -- The place among the records of the mail.
  position integer not null,
  kind text not null check (kind in ('receipt', 'invoice', 'ignored')),
  at timestamptz not null,
  -- The kind of receipt, such as RC; MT for an incoming file.
  code text not null,
  -- The document that a receipt is about.
  transmission_id uuid,
  -- The identifier of the receipt or of the incoming file, which repeated mail repeats.
  reference text not null,
  -- The identifier of the document at the SdI; null in a receipt of the mail provider.
  sdi_id text,
  -- The errors that a receipt states, or the reason why a mail is ignored.
  reason text,
  content_type text not null,
  -- Null once an incoming file is in the inbox.
  content bytea,
  -- The metadata that the SdI sends with an incoming file.
  metadata bytea,
  primary key (organization_id, message_id, position),
  foreign key (organization_id, transmission_id) references sdi_files
);
create index sdi_messages_of_document on sdi_messages (organization_id, transmission_id, id)
  where transmission_id is not null;
create index sdi_messages_waiting on sdi_messages (organization_id, id) where kind = 'invoice' and content is not null;
