-- context: billing

-- What a later attempt needs to write the same message again.
alter table document_sends
  add column message text,
  add column attach_pdf boolean not null default true;

-- deferred: the mail server refused the message for now, so a job tries it again.
alter table document_mails
  drop constraint document_mails_state_check,
  add constraint document_mails_state_check
    check (state in ('pending', 'handing_over', 'deferred', 'accepted', 'refused', 'unknown')),
  add column attempts smallint not null default 0,
  -- The time of the next attempt. It stays until the result of that attempt is recorded in the document, too.
  add column retry_at timestamptz;

create index document_mails_retries on document_mails (organization_id, send_id) where retry_at is not null;
