-- context: einvoicing
-- A credit note has one live submission at a time, as an invoice has.
create unique index einvoices_live_credit_note on einvoices (organization_id, credit_note_id)
  where status not in ('rejected', 'failed');
