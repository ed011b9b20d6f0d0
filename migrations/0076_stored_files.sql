-- context: organizations

-- The files that count towards the storage quota of an organization, until the storage has removed them.
create view stored_files as
select organization_id, file_size from receipts
union all
select organization_id, file_size from invoice_attachments where removed_at is null;

create index invoice_attachments_stored_bytes on invoice_attachments (organization_id) include (file_size)
  where removed_at is null;
