insert into users (name, email, password_hash) select 'User ' || n, 'user' || n || '@example.com', ':password' from generate_series(1, :organizations) n;
-- Every second organization numbers its invoices at creation.
insert into organizations (name, country, currency, timezone, language, search, currency_in_use, settings)
  select 'Organization ' || n, 'BE', 'EUR', 'Europe/Brussels', 'en', 'organization ' || n, true,
    case n % 2 when 0 then '{"invoice_number_on": "create"}' else '{}' end::jsonb
  from generate_series(1, :organizations) n;
insert into journals (organization_id) select id from organizations;
insert into members (organization_id, user_id, role, status) select id, id, 'owner', 'active' from organizations;
insert into tokens (kind, hash, name, user_id, scopes)
  select 'personal', sha256(convert_to('pat_bench' || id, 'UTF8')), 'bench', id, '{*}' from users;
insert into tax_rates (organization_id, name, rate, category, is_default)
  select id, 'BTW 21%', 21, 'S', true from organizations order by id;
insert into tax_rates (organization_id, name, rate, category, is_default)
  select id, 'BTW 6%', 6, 'S', false from organizations;
insert into customers (organization_id, name, search)
  select o.id, 'Customer ' || n, 'customer ' || n from organizations o, generate_series(1, 20) n order by o.id, n;
insert into document_counters (organization_id, document, series, next, last_issue_date)
  select id, 'invoice', '2026', :invoices + 1, '2026-06-30' from organizations;
insert into invoices (organization_id, customer_id, number, payment_reference, issue_date, due_date, currency, items,
    tax_breakdown, subtotal, discount_total, tax_total, total, issued_at, sent_at, sent_method, created_by, created_at,
    updated_at)
  select o.id, (o.id - 1) * 20 + 1 + n % 20, 'INV-2026-' || lpad(n::text, 4, '0'), 'RF' || n,
    date '2026-01-01' + n % 180, date '2026-02-01' + n % 180, 'EUR',
    jsonb_build_array(
      jsonb_build_object('id', 1, 'position', 1, 'description', 'Consulting', 'quantity', '3', 'unit', 'HUR',
        'unit_price', '100', 'discount', '0', 'discount_type', 'percent', 'line_subtotal', '300.00',
        'discount_amount', '0.00', 'line_total', '300.00', 'tax_exempt', false, 'tax_exemption_reason', null,
        'tax_amount', '63.00', 'tax_rates', jsonb_build_array(jsonb_build_object('id', o.id, 'name', 'BTW 21%',
          'rate', '21', 'category', 'S', 'taxable_amount', '300.00', 'tax_amount', '63.00'))),
      jsonb_build_object('id', 2, 'position', 2, 'description', 'Travel', 'quantity', '1', 'unit', 'C62',
        'unit_price', '50', 'discount', '0', 'discount_type', 'percent', 'line_subtotal', '50.00',
        'discount_amount', '0.00', 'line_total', '50.00', 'tax_exempt', false, 'tax_exemption_reason', null,
        'tax_amount', '10.50', 'tax_rates', jsonb_build_array(jsonb_build_object('id', o.id, 'name', 'BTW 21%',
          'rate', '21', 'category', 'S', 'taxable_amount', '50.00', 'tax_amount', '10.50'))),
      jsonb_build_object('id', 3, 'position', 3, 'description', 'Books', 'quantity', '2', 'unit', 'C62',
        'unit_price', '20', 'discount', '0', 'discount_type', 'percent', 'line_subtotal', '40.00',
        'discount_amount', '0.00', 'line_total', '40.00', 'tax_exempt', false, 'tax_exemption_reason', null,
        'tax_amount', '8.40', 'tax_rates', jsonb_build_array(jsonb_build_object('id', o.id, 'name', 'BTW 21%',
          'rate', '21', 'category', 'S', 'taxable_amount', '40.00', 'tax_amount', '8.40')))),
    jsonb_build_array(jsonb_build_object('tax_rate_id', o.id, 'name', 'BTW 21%', 'rate', '21', 'category', 'S',
      'taxable_amount', '390.00', 'tax_amount', '81.90')),
    390, 0, 81.9, 471.9, now(), now(), 'manual', o.id, now(), now()
  from organizations o, generate_series(1, :invoices) n order by o.id, n;
insert into quotes (organization_id, customer_id, status, issue_date, valid_until, currency, items, tax_breakdown,
    subtotal, discount_total, tax_total, total, created_by, created_at, updated_at)
  select organization_id, customer_id, 'draft', issue_date, issue_date + 30, currency, items, tax_breakdown, subtotal,
    discount_total, tax_total, total, created_by, created_at, updated_at
  from invoices where number like 'INV-2026-000_' or number like 'INV-2026-001_' or number like 'INV-2026-002_';
insert into credit_notes (organization_id, customer_id, invoice_id, currency, reason, credit_type, items, tax_breakdown,
    shares, subtotal, tax_total, total, created_by, created_at, updated_at)
  select organization_id, customer_id, id, currency, 'Returned', 'full', items, tax_breakdown, '{471.9}', subtotal,
    tax_total, total, created_by, created_at, updated_at
  from invoices where number like 'INV-2026-000_' or number like 'INV-2026-001_' or number like 'INV-2026-002_';
insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at, updated_at)
  select organization_id, id, 1, currency, due_date, 'bank_transfer', now(), now()
  from invoices where number like 'INV-2026-000_' or number like 'INV-2026-001_' or number like 'INV-2026-002_';
update invoices i set amount_paid = 1
  from payments p where p.organization_id = i.organization_id and p.invoice_id = i.id;
insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency, vendor,
    description, is_vat_deductible, is_billable, status, search, created_by, created_at, updated_at)
  select o.id, date '2026-01-01' + n, 'travel', 121, 21,
    '[{"rate": "21", "taxable_amount": "100.00", "tax_amount": "21.00"}]', 'EUR', 'Railways', 'Journey ' || n, true, false,
    'pending', 'railways' || chr(10) || 'journey ' || n || chr(10), o.id, now(), now()
  from organizations o, generate_series(1, 50) n order by o.id, n;
insert into webhooks (organization_id, url, events, is_active, secret, secret_hint, after_sequence)
  select o.id, 'https://example.com/' || n, '{invoice.created}', false, 'none', 'none', 0
  from organizations o, generate_series(1, 5) n order by o.id, n;
