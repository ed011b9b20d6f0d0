-- context: einvoicing

-- The time of the latest attempt to tell the supplier that the invoice is paid; null before the first.
alter table received_documents add column payment_tried_at timestamptz;
