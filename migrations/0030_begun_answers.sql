-- context: einvoicing

-- The answer that a request began to send, and that the supplier may have; null if certainly no answer was sent. Until
-- the outcome is known, the document takes no other answer.
alter table received_documents add column answering text check (answering in ('accepted', 'refused'));
