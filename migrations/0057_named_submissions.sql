-- context: einvoicing

-- Messages of the networks name a document by its number.
create index einvoices_named on einvoices (organization_id, number);
