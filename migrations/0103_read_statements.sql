-- context: banking
-- The mapping that last read a CSV file of the account, so that the next file needs none; null until a client sends one.
alter table bank_accounts add column csv_mapping jsonb;
-- The account's number where it has no IBAN, as the first statement names it; null until then.
alter table bank_accounts add column account_number text;
