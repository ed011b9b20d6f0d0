-- context: billing

-- The list of invoices in the order of their due dates.
create index invoices_by_due_date on invoices (organization_id, due_date, id) where deleted_at is null;

-- The same order for invoices that are still owed, which are few. Covers the columns from which receivables are summed.
drop index invoices_due;
create index invoices_due on invoices (organization_id, due_date, id)
  include (issue_date, customer_id, currency, exchange_rate, total, amount_credited, amount_paid, amount_refunded)
  where deleted_at is null and state in ('sent', 'partially_paid');

-- The numbers of customers' orders, which customers quote instead of the number of the invoice.
create index invoices_order_tail on invoices (organization_id, search_tail(details ->> 'purchase_order') text_pattern_ops)
  where deleted_at is null and details ->> 'purchase_order' is not null;
