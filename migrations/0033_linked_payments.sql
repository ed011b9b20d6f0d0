-- context: billing

-- Payments that were recorded without a bank line and not refunded. A bank line never shows cash.
create view recorded_payments as
select p.organization_id, p.id, p.invoice_id, i.customer_id, d.name as customer_name, i.number, i.payment_reference,
  p.currency, p.amount, p.payment_date
from payments p
  join invoices i on i.organization_id = p.organization_id and i.id = p.invoice_id
  join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id
where p.deleted_at is null and p.bank_transaction_id is null and p.refunded_amount = 0 and p.payment_method <> 'cash'
  and i.deleted_at is null;

-- context: expenses

-- Expenses that were marked as paid without a bank line.
create view recorded_expenses as
select organization_id, id, vendor, reference, currency, expense_date, (paid_at at time zone 'UTC')::date as paid_on,
  amount
from expenses
where deleted_at is null and status = 'paid' and bank_transaction_id is null
  and lower(payment_method) is distinct from 'cash';

create index expenses_recorded on expenses (organization_id, amount)
  where deleted_at is null and status = 'paid' and bank_transaction_id is null;

-- context: banking

-- True when the payment was recorded before the match, which only linked it: undoing the match keeps the payment.
alter table bank_matches add column is_payment_linked boolean not null default false;
