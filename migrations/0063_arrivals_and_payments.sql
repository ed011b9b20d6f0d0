-- context: einvoicing

-- Message Level Responses that arrived: the answers of the recipients' access points to documents of the organization.
-- The next poll of the document in the envelope reads them.
create table level_responses (
  organization_id bigint not null references organizations,
  message_id text not null,
  received_at timestamptz not null,
  envelope_id text not null,
  code text not null check (code in ('AB', 'AP', 'RE')),
  content bytea not null,
  primary key (organization_id, message_id)
);

create index level_responses_envelope on level_responses (organization_id, envelope_id);

-- context: billing

-- Payments that are not refunded in full, for reports of payments to e-invoicing networks.
create view received_payments as
select organization_id, id, invoice_id, updated_at from payments
where deleted_at is null and refunded_amount < amount;
