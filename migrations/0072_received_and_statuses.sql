-- context: einvoicing

-- True if the buyer issued the document in the name of the seller. The documents that arrived before count as purchases,
-- because their type is only in their files.
alter table received_documents add column is_self_billed boolean not null default false;

-- The time that the message states, read as UTC; null if it states none, and in the messages that arrived before.
alter table lifecycle_statuses add column stated_at timestamptz;

-- For the search of an earlier document with the same content.
create index received_documents_number on received_documents (organization_id, number);
