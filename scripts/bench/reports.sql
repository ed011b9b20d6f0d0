-- Beside a million invoices: their payments, the credit notes of what was credited, and expenses over the same years.
insert into journals (organization_id) values (1);
insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at, updated_at)
  select organization_id, id, amount_paid, currency, least(due_date, date ':last'), 'bank_transfer', now(), now()
  from invoices where organization_id = 1 and amount_paid > 0;
insert into credit_notes (organization_id, customer_id, invoice_id, number, sequence, issue_date, currency, reason,
    credit_type, credit_note_type_code, items, tax_breakdown, shares, subtotal, tax_total, total, sent_at, created_at,
    updated_at)
  select organization_id, customer_id, id, 'CN-' || id, id, least(due_date, date ':last'), currency, 'Returned', 'full',
    '381', items, tax_breakdown, '{363}', subtotal, tax_total, total, now(), now(), now()
  from invoices where organization_id = 1 and amount_credited > 0;
insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency, vendor,
    description, is_vat_deductible, is_billable, status, search, created_at, updated_at)
  select 1, date ':last' - n % 1095, (array['travel', 'meals', 'rent', 'software'])[1 + n % 4], 121, 21,
    '[{"rate": "21", "taxable_amount": "100.00", "tax_amount": "21.00"}]', 'EUR', 'Railways', 'Journey ' || n, true, false,
    'pending', 'railways' || chr(10) || 'journey ' || n || chr(10), now(), now()
  from generate_series(1, :expenses) n;
vacuum analyze;
