-- context: billing

-- Refunds that were recorded and not reversed. A bank line never shows cash. A refund of an
-- earlier version has no date, so the day on which it was recorded counts.
create view recorded_refunds as
select r.organization_id, r.id, i.customer_id, d.name as customer_name, i.number, i.payment_reference, p.currency,
  r.amount, coalesce(r.refund_date, (r.created_at at time zone 'UTC')::date) as refund_date
from payment_refunds r
  join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
  join invoices i on i.organization_id = p.organization_id and i.id = p.invoice_id
  join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id
where r.reversed_at is null and p.deleted_at is null and i.deleted_at is null and p.payment_method <> 'cash';

create index payment_refunds_recorded on payment_refunds (organization_id, amount) where reversed_at is null;
