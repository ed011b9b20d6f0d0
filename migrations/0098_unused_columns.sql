-- context: organizations

-- Nothing calls this function: since migration 0013 the head of the audit log holds the lock date.
drop function require_known_lock;

-- context: customers

-- The view `documented_customers` says which customers have documents.
alter table customers drop column has_documents;
