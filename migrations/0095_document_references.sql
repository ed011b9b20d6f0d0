-- context: einvoicing

-- The fields of the document that an answer to the supplier repeats, so that no request reads the whole document again.
-- Null if the document lacks one of them, and for documents that arrived before this column existed.
alter table received_documents add column document_reference jsonb;
