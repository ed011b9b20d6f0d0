-- context: archive
-- A document that is too complex for a PDF is not tried again every hour: an operator retries its dead job.
alter table archive_deposits add column set_aside_at timestamptz;
