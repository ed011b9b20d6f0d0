-- context: billing

-- A quote is converted again after its draft invoice was deleted, which stays for the audit log or for its number.
drop index invoices_quote;
create unique index invoices_quote on invoices (quote_id)
  where quote_id is not null and deleted_at is null and voided_at is null;

-- Quotes whose invoice was deleted before are again what they were before their conversion.
update quotes q set
  status = case when q.accepted_at is not null then 'accepted' when q.sent_at is not null then 'sent' else 'draft' end,
  invoice_id = null, converted_at = null, updated_at = now(), version = q.version + 1
from invoices i
where i.organization_id = q.organization_id and i.id = q.invoice_id and q.deleted_at is null
  and (i.deleted_at is not null or i.voided_at is not null);
