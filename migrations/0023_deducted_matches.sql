-- context: banking

-- A match may be deducted from the other matches of its line: a credit note from the invoice that it reduced. Both sides
-- of a transfer have one amount, so a transfer is never deducted.
alter table bank_matches
  drop constraint bank_matches_amount_check,
  add constraint bank_matches_amount_check
    check (amount > 0 or amount < 0 and transfer_transaction_id is null);
