-- context: billing

-- Sent credit notes whose money can be returned to the customer, because their invoices are overpaid.
create view refundable_notes as
select n.organization_id, n.id, n.customer_id, d.name as customer_name, n.number, n.currency, n.issue_date,
  n.refundable_amount, i.amount_paid + i.amount_credited - i.total - i.amount_refunded as overpaid
from credit_notes n
  join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id
  join debtors d on d.organization_id = n.organization_id and d.id = n.customer_id
where n.sent_at is not null and n.refundable_amount > 0
  and i.amount_paid + i.amount_credited > i.total + i.amount_refunded;
