insert into organizations (name, country, currency, timezone, language, search, currency_in_use)
  values ('Large', 'BE', 'EUR', 'Europe/Brussels', 'en', 'large', true), ('Small', 'BE', 'EUR', 'Europe/Brussels', 'en', 'small', true);
insert into customers (organization_id, name, search, has_documents)
  select 1, 'Customer ' || n, 'customer ' || n, true from generate_series(1, 2000) n;
insert into customers (organization_id, name, search, has_documents) values (2, 'Customer', 'customer', true);
