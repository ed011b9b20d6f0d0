-- context: billing
-- A send of a document. All repeats of one operation (an Idempotency-Key) are one send.
create table document_sends (
  organization_id integer not null references organizations,
  id bigint generated always as identity,
  document text not null check (document in ('invoice', 'quote', 'credit_note')),
  document_id integer not null,
  operation text not null,
  -- How this send issued the document, which a process after a crash may have to undo; null when it did not.
  issued jsonb,
  -- The number that the document keeps although this send reached nobody.
  kept jsonb,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, document, document_id, operation)
);

-- Whoever begins a send while another one is unfinished holds the lease of document_sendings and finishes that one first.
create unique index document_sends_unfinished on document_sends (organization_id, document, document_id)
  where finished_at is null;
create index document_sends_age on document_sends (created_at);

-- The message to one recipient of a send.
create table document_mails (
  organization_id integer not null,
  send_id bigint not null,
  -- In the order of the request.
  position smallint not null,
  recipient text not null,
  message_id text not null,
  -- pending: the mail server does not have it. handing_over: committed before the mail server gets it; when its sender
  -- is dead, it is unknown. The others are the mail server's answer.
  state text not null check (state in ('pending', 'handing_over', 'accepted', 'refused', 'unknown')),
  code text,
  error text,
  -- The state is that of an earlier send, which this one does not repeat.
  inherited boolean not null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, send_id, position),
  foreign key (organization_id, send_id) references document_sends (organization_id, id) on delete cascade
);
