-- context: einvoicing

-- A document that is stored, but that the network does not let the service confirm, also waits until retry_at.
alter table unread_arrivals drop constraint unread_arrivals_failed_step_check;
alter table unread_arrivals add constraint unread_arrivals_failed_step_check
  check (failed_step in ('fetch', 'read', 'store', 'confirm'));
