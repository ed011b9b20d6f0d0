-- Inserts a credit note for each credited invoice. The file other-lists.sql inserts expenses and payments.
insert into credit_notes (organization_id, customer_id, invoice_id, number, sequence, issue_date, currency, reason,
    credit_type, credit_note_type_code, items, tax_breakdown, shares, subtotal, tax_total, total, sent_at, created_at,
    updated_at)
  select organization_id, customer_id, id, 'CN-' || id, id, least(due_date, date ':last'), currency, 'Returned', 'full',
    '381', items, tax_breakdown, '{363}', subtotal, tax_total, total, now(), now(), now()
  from invoices where organization_id = 1 and amount_credited > 0;
vacuum analyze;
