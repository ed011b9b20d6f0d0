-- context: banking
-- A file of which rows could not be read is imported again when another mapping reads more of it; the lock of the account
-- keeps imports of one file apart.
alter table bank_imports drop constraint bank_imports_bank_account_id_file_sha256_key;
create index bank_imports_file on bank_imports (bank_account_id, file_sha256, id);
