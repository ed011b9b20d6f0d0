-- Inserts the invoices of three years. One in 33 is a draft, one in 20 is open and due around the date of the newest
-- invoice, and the others are paid or credited. One customer has a tenth of all invoices, and the other customers share
-- the rest. The triggers are disabled, because they would take most of the time. The tables that the triggers update
-- are filled later.
alter table invoices disable trigger user;
alter table sales_entries disable trigger user;
insert into invoices (organization_id, customer_id, number, payment_reference, issued_at, issue_date, due_date, currency,
    items, tax_breakdown, subtotal, discount_total, tax_total, total, amount_paid, amount_credited, created_at, updated_at)
  select :organization, :customer + case when n % 10 = 0 then 0 else n % :customers end,
    case when not draft then 'INV-' || extract(year from day) || '-' || lpad(n::text, 7, '0') end,
    case when not draft then 'RF' || 10 + n % 89 || 'INV' || extract(year from day) || n end,
    case when not draft then day end, day, day + 14 + n % 3 * 23, 'EUR',
    jsonb_build_array(jsonb_build_object('id', n, 'position', 1, 'description', 'Consulting and travel', 'quantity', '3',
      'unit', 'HUR', 'unit_price', '100', 'discount', '0', 'discount_type', 'percent', 'line_subtotal', '300.00',
      'discount_amount', '0.00', 'line_total', '300.00', 'tax_exempt', false, 'tax_exemption_reason', null,
      'tax_amount', '63.00', 'tax_rates', jsonb_build_array(jsonb_build_object('id', 1, 'name', 'BTW 21%',
        'rate', '21', 'category', 'S', 'taxable_amount', '300.00', 'tax_amount', '63.00')))),
    jsonb_build_array(jsonb_build_object('tax_rate_id', 1, 'name', 'BTW 21%', 'rate', '21', 'category', 'S',
      'taxable_amount', '300.00', 'tax_amount', '63.00')),
    300, 0, 63, 363,
    case when draft or n % 100 = 7 then 0 when n % 40 = 1 then 100 when n % 40 = 3 then 0 else 363 end,
    case when not draft and n % 100 = 7 then 363 else 0 end, changed_at, changed_at
  from (
    select n, n % 33 = 0 as draft, day, day + n % 86400 * interval '1 second' as changed_at
    from generate_series(1, :invoices) n
      cross join lateral (select date ':last' - ((:invoices - n) * 1095::bigint / :invoices)::integer as day) dated) seeded;
insert into invoice_tallies as t (organization_id, state, issue_date, due_date, count)
  select organization_id, state, issue_date, tallied_due_date(state, due_date), count(*)
  from invoices where organization_id = :organization group by 1, 2, 3, 4
  on conflict (organization_id, state, issue_date, due_date) do update set count = excluded.count;
insert into sales_entries (organization_id, date, document, document_id, line, customer_id, currency, rate, category,
    taxable, tax, net, rounding)
  select organization_id, issue_date, 'invoice', id, 1, customer_id, currency, 21, 'S', subtotal, tax_total, subtotal, 0
  from invoices where organization_id = :organization and issued_at is not null
  on conflict do nothing;
insert into sales_tallies (organization_id, date, document, currency, country, rate, category, taxable, tax, net,
    rounding, entries, documents)
  select organization_id, date, document, currency, coalesce(country, ''), rate, category, sum(taxable), sum(tax),
    sum(net), sum(rounding), count(*), count(*) filter (where line = 1)
  from sales_entries where organization_id = :organization group by 1, 2, 3, 4, 5, 6, 7
  on conflict (organization_id, date, document, currency, country, rate, category) do update
  set taxable = excluded.taxable, tax = excluded.tax, net = excluded.net, entries = excluded.entries,
    documents = excluded.documents;
alter table invoices enable trigger user;
alter table sales_entries enable trigger user;
vacuum analyze;
