insert into organizations (name, country, currency, timezone, language, search, currency_in_use)
  values ('Large', 'BE', 'EUR', 'Europe/Brussels', 'en', 'large', true), ('Small', 'BE', 'EUR', 'Europe/Brussels', 'en', 'small', true);
insert into customers (organization_id, name, search)
  select 1, 'Customer ' || n, 'customer ' || n from generate_series(1, 2000) n;
insert into customers (organization_id, name, search) values (2, 'Customer', 'customer');
insert into journals (organization_id) values (1), (2);
insert into bank_accounts (organization_id, name, currency)
  select organization_id, 'Account', 'EUR' from journals, generate_series(1, 2) order by organization_id;
insert into bank_imports (organization_id, bank_account_id, file_sha256, summary, created_at)
  select organization_id, id, 'none', '{}', now() from bank_accounts;
