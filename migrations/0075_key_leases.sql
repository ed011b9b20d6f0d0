-- context: platform
-- A key is reserved with a lease before its request works. The answer follows, in the transaction of the business write
-- where there is one. The operation stays the same for every request that takes the lease over.
alter table idempotency_keys
  add column operation text not null default '',
  add column owner text not null default '',
  add column leased_until timestamptz not null default now(),
  alter column status drop not null,
  alter column headers drop not null,
  alter column sealed_body drop not null;

-- Answers were kept per user until now. They are kept per credential from now on, so these are never found again.
delete from idempotency_keys;

alter table idempotency_keys
  alter column operation drop default,
  alter column owner drop default,
  alter column leased_until drop default;

-- context: billing
-- The request that attached a file, so that a repeat of its Idempotency-Key finds the attachment.
alter table invoice_attachments add column operation text;
create unique index invoice_attachments_operation on invoice_attachments (organization_id, operation)
  where operation is not null and stored_at is not null;

-- context: einvoicing
-- The request that submitted a document, so that a repeat of its Idempotency-Key finds the submission.
alter table einvoices add column operation text;
