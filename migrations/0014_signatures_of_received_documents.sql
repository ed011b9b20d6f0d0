-- context: einvoicing

-- The signature in the file and the result of checking it; null for an unsigned file and for earlier arrivals.
alter table received_documents add column signature jsonb;
