-- context: billing
-- What an invoice owed on a past day is what it owes now without what has happened since: these find what has happened
-- since, for which invoices and how much, and the few invoices on which the customer is owed something.
drop index payments_listed;
create index payments_listed on payments (organization_id, payment_date desc, id desc) include (invoice_id, amount)
  where deleted_at is null;
create index payment_refunds_dated on payment_refunds (organization_id, created_at);
create index invoices_overpaid on invoices (organization_id)
  where deleted_at is null and issued_at is not null and total - amount_credited - amount_paid + amount_refunded < 0;
