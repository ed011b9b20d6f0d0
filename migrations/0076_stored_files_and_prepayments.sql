-- context: organizations

-- The files that count towards the storage quota of an organization, until the storage has removed them.
create view stored_files as
select organization_id, file_size from receipts
union all
select organization_id, file_size from invoice_attachments where removed_at is null;

create index invoice_attachments_stored_bytes on invoice_attachments (organization_id) include (file_size)
  where removed_at is null;

-- context: billing

-- Sent credit notes whose money can be returned to the customer, because their invoices are overpaid. Only payments can be
-- refunded: an amount that was paid before the invoice is returned where it was booked.
create or replace view refundable_notes as
select n.organization_id, n.id, n.customer_id, d.name as customer_name, n.number, n.currency, n.issue_date,
  n.refundable_amount,
  least(i.amount_paid + i.amount_credited - i.total, i.amount_paid - i.prepaid_amount) - i.amount_refunded as overpaid
from credit_notes n
  join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id
  join debtors d on d.organization_id = n.organization_id and d.id = n.customer_id
where n.sent_at is not null and n.refundable_amount > 0
  and least(i.amount_paid + i.amount_credited - i.total, i.amount_paid - i.prepaid_amount) > i.amount_refunded;
