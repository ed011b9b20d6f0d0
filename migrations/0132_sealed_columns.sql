-- context: billing
-- An update that names no sealed column changes none, so a payment, which moves sums, runs no function. The columns left
-- out here are those that `keep_invoice_sealed` allows to change, and the generated one.
drop trigger invoices_sealed on invoices;
create trigger invoices_sealed before update of id, organization_id, customer_id, number, payment_reference, issue_date,
    currency, exchange_rate, items, tax_breakdown, subtotal, discount_total, tax_total, rounding_adjustment, total, notes,
    terms, quote_id, issued_at, created_at, deleted_at, voided_at, details, discounts, charges, charge_total,
    prepaid_amount on invoices for each row
  when (old.issued_at is not null or old.voided_at is not null) execute function keep_invoice_sealed();

drop trigger invoices_undone on invoices;
create constraint trigger invoices_undone after update of issued_at on invoices deferrable initially deferred for each row
  when (old.issued_at is not null and new.issued_at is null) execute function require_undone_entry();
