-- context: billing

-- The day of a refund. A refund of an earlier version has no date, so the day counts on which it was recorded, in the
-- organization's time zone. If its payment was moved to a later day, the refund counts on that day.
create function refunded_on(refund_date date, created_at timestamptz, payment_date date, timezone text) returns date
language sql immutable
return greatest(coalesce(refund_date, (created_at at time zone timezone)::date), payment_date);

create or replace view recorded_refunds as
select r.organization_id, r.id, i.customer_id, d.name as customer_name, i.number, i.payment_reference, p.currency,
  r.amount, refunded_on(r.refund_date, r.created_at, p.payment_date, c.timezone) as refund_date
from payment_refunds r
  join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
  join invoices i on i.organization_id = p.organization_id and i.id = p.invoice_id
  join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id
  join clocks c on c.organization_id = r.organization_id
where r.reversed_at is null and p.deleted_at is null and i.deleted_at is null and p.payment_method <> 'cash';
