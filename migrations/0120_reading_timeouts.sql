-- context: expenses
-- Number of readings of the receipt that ran out of time; each is tried again later, up to a limit.
alter table receipts add column reading_timeouts integer not null default 0 check (reading_timeouts >= 0);
