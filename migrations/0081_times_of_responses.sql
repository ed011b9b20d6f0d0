-- context: einvoicing

-- The time that the message states; null if it states none, and in the messages that arrived before.
alter table invoice_responses add column stated_at timestamptz;
