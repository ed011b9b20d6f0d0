-- context: einvoicing

-- Invoice Responses (Peppol BIS 63) that arrived: the answers of recipients to documents of the organization. The next
-- poll of the document that an answer names reads it.
create table invoice_responses (
  organization_id bigint not null references organizations,
  message_id text not null,
  received_at timestamptz not null,
  -- The address on the envelope, because anybody can write another one into the message.
  sender text not null,
  number text not null,
  document_type text not null check (document_type in ('invoice', 'credit_note')),
  code text not null,
  reason text,
  content bytea not null,
  primary key (organization_id, message_id)
);

create index invoice_responses_number on invoice_responses (organization_id, number);
