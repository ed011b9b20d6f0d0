-- context: expenses
create extension if not exists btree_gin;
-- What a reading found besides the answered fields (ReadingTrace.ts); null until the receipt is read.
alter table receipts add column trace jsonb;
-- Finds receipts of the same vendor by the numbers and names that they show.
create index receipts_vendor_keys on receipts using gin (organization_id, (trace->'vendor_keys')) where trace is not null;
-- Start of the last reading, which the panel shows while it lasts.
alter table receipts add column reading_since timestamptz;
