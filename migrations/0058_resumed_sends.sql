-- context: billing

-- True if the service itself finished the send, because a crash had interrupted it. Its client got no answer, so the next
-- send of the document does not repeat the messages that were accepted.
alter table document_sends add column resumed boolean not null default false;
