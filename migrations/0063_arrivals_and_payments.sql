-- context: einvoicing

-- A document that is stored, but that the network does not let the service confirm, also waits until retry_at.
alter table unread_arrivals drop constraint unread_arrivals_failed_step_check;
alter table unread_arrivals add constraint unread_arrivals_failed_step_check
  check (failed_step in ('fetch', 'read', 'store', 'confirm'));

-- context: billing

-- Payments that are not refunded in full, for reports of payments to e-invoicing networks.
create view received_payments as
select organization_id, id, invoice_id, updated_at from payments
where deleted_at is null and refunded_amount < amount;
