-- context: billing

-- An exchange rate of a currency of low value needs more than six decimals: 1 VND is 0.00003543 EUR. The API limits a
-- rate to twelve decimals. The columns themselves have no limit, because PostgreSQL would rewrite the tables for
-- `numeric(24, 12)`. It only rebuilds the partial indexes and checks the rates again, for about a second per 500,000
-- invoices, in which the tables can neither be read nor written.

-- PostgreSQL cannot change a column that a trigger names, so these triggers are created again as they were.
drop trigger invoices_sales_update on invoices;
drop trigger invoices_sealed on invoices;
drop trigger credit_notes_sales_update on credit_notes;

alter table invoices alter column exchange_rate type numeric;
alter table credit_notes alter column exchange_rate type numeric;
alter table sales_entries alter column exchange_rate type numeric;

create trigger invoices_sales_update after update of customer_id, issue_date, currency, exchange_rate, tax_breakdown,
    subtotal, rounding_adjustment, issued_at, deleted_at on invoices for each row
  when ((old.issued_at is not null or new.issued_at is not null)
    and (old.issued_at is null, old.deleted_at is null, old.customer_id, old.issue_date, old.currency,
      old.exchange_rate, old.tax_breakdown, old.subtotal, old.rounding_adjustment)
    is distinct from (new.issued_at is null, new.deleted_at is null, new.customer_id, new.issue_date, new.currency,
      new.exchange_rate, new.tax_breakdown, new.subtotal, new.rounding_adjustment))
  execute function enter_invoice_sales();

create trigger invoices_sealed before update of id, organization_id, customer_id, number, payment_reference, issue_date,
    currency, exchange_rate, items, tax_breakdown, subtotal, discount_total, tax_total, rounding_adjustment, total, notes,
    terms, quote_id, issued_at, created_at, deleted_at, voided_at, details, discounts, charges, charge_total,
    prepaid_amount on invoices for each row
  when (old.issued_at is not null or old.voided_at is not null) execute function keep_invoice_sealed();

create trigger credit_notes_sales_update after update of customer_id, issue_date, currency, exchange_rate,
    tax_breakdown, subtotal, rounding_adjustment, sent_at on credit_notes for each row
  when ((old.sent_at is not null or new.sent_at is not null)
    and (old.sent_at is null, old.customer_id, old.issue_date, old.currency, old.exchange_rate, old.tax_breakdown,
      old.subtotal, old.rounding_adjustment)
    is distinct from (new.sent_at is null, new.customer_id, new.issue_date, new.currency, new.exchange_rate,
      new.tax_breakdown, new.subtotal, new.rounding_adjustment))
  execute function enter_credit_note_sales();

-- context: expenses

alter table expenses alter column exchange_rate type numeric;
