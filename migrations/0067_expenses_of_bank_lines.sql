-- context: expenses

-- The removal of an import looks up the expenses of each of its lines, because of their foreign key.
create index expenses_bank_transaction on expenses (bank_transaction_id) where bank_transaction_id is not null;
