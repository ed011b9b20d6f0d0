-- context: billing

-- True if the payment is the prepaid amount of its invoice, which becomes a payment when money of it is refunded.
alter table payments add column is_prepayment boolean not null default false;

create unique index payments_prepayment on payments (organization_id, invoice_id) where is_prepayment;

drop trigger payments_sealed on payments;
create trigger payments_sealed before update on payments for each row
  when ((old.id, old.organization_id, old.invoice_id, old.amount, old.currency, old.is_prepayment, old.created_at)
      is distinct from (new.id, new.organization_id, new.invoice_id, new.amount, new.currency, new.is_prepayment,
        new.created_at)
    or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at))
  execute function refuse_sealed_change();

-- Sent credit notes whose money can be returned to the customer, because their invoices are overpaid.
create or replace view refundable_notes as
select n.organization_id, n.id, n.customer_id, d.name as customer_name, n.number, n.currency, n.issue_date,
  n.refundable_amount, i.amount_paid + i.amount_credited - i.total - i.amount_refunded as overpaid
from credit_notes n
  join invoices i on i.organization_id = n.organization_id and i.id = n.invoice_id
  join debtors d on d.organization_id = n.organization_id and d.id = n.customer_id
where n.sent_at is not null and n.refundable_amount > 0
  and i.amount_paid + i.amount_credited > i.total + i.amount_refunded;

-- Payments that are not refunded in full, for reports of payments to e-invoicing networks. The amount that was paid
-- before an invoice is reported with the invoice.
create or replace view received_payments as
select organization_id, id, invoice_id, updated_at from payments
where deleted_at is null and refunded_amount < amount and not is_prepayment;
