-- Inserts a payment for each paid invoice of an organization, and as many expenses, bank lines, events and audit
-- entries as the organization has invoices.
-- The index is dropped, because updating it would take most of the time, and no measurement searches expenses.
drop index if exists expenses_search;
alter table payments disable trigger user;
alter table expenses disable trigger user;
insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at, updated_at)
  select organization_id, id, amount_paid, currency, least(due_date, date ':last'),
    case when id % 5 = 0 then 'card' else 'bank_transfer' end, updated_at, updated_at
  from invoices where organization_id = :organization and amount_paid > 0;
insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency, vendor,
    description, is_vat_deductible, is_billable, status, search, created_at, updated_at)
  select :organization, day, (array['travel', 'meals', 'rent', 'software'])[1 + n % 4], 121, 21,
    '[{"rate": "21", "taxable_amount": "100.00", "tax_amount": "21.00"}]', 'EUR', 'Railways', 'Journey', true, false,
    'pending', 'railways' || chr(10) || 'journey', day, day
  from generate_series(1, :rows) n
    cross join lateral (select date ':last' - ((:rows - n) * 1095::bigint / :rows)::integer as day) dated;
alter table payments enable trigger user;
alter table expenses enable trigger user;
insert into list_tallies (organization_id, list, day, kind, state, count)
  select organization_id, 'payments', payment_date, payment_method, 'completed', count(*)
  from payments where organization_id = :organization group by 1, 2, 3, 4, 5
  union all
  select organization_id, 'expenses', expense_date, category, status, count(*)
  from expenses where organization_id = :organization group by 1, 2, 3, 4, 5;
insert into cost_tallies (organization_id, day, currency, category, net, deductible, non_deductible_tax, expenses)
  select organization_id, expense_date, currency, category, sum(amount - tax_amount), sum(tax_amount), 0, count(*)
  from expenses where organization_id = :organization group by 1, 2, 3, 4;
insert into cost_tax_tallies (organization_id, day, currency, category, rate, taxable, tax, deductible, expenses)
  select organization_id, expense_date, currency, category, '21', sum(amount - tax_amount), sum(tax_amount),
    sum(tax_amount), count(*)
  from expenses where organization_id = :organization group by 1, 2, 3, 4;
insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date, amount,
    currency, remittance_text, line_key, status, matched_amount, created_at, updated_at)
  select :organization, account, account, n, day, 363, 'EUR', 'Invoice ' || n, n,
    case when n % 20 = 0 then 'unmatched' else 'matched' end, case when n % 20 = 0 then 0 else 363 end, day, day
  from generate_series(1, :rows) n
    cross join lateral (select date ':last' - ((:rows - n) * 1095::bigint / :rows)::integer as day) dated
    cross join lateral (select 2 * :organization - n % 5 / 4 as account) of_account;
insert into outbox (organization_id, sequence, event_id, type, occurred_at, data, relayed_at)
  select :organization, n, 'evt_' || n, 'invoice.sent', now(), '{"object": "invoice", "id": 1, "attributes": {}}', now()
  from generate_series(1, :rows) n;
insert into audit_entries (organization_id, seq, canonical, hash)
  select :organization, n, '{"action":"invoice.issued","actor":"system","at":"2026-06-30T12:00:00.000Z","data":{},"seq":'
    || n || '}', repeat('0', 64)
  from generate_series(1, :rows) n;
update journals set entries = :rows, events = :rows where organization_id = :organization;
vacuum analyze;
