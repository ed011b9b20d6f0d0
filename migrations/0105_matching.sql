-- context: billing
-- Invoices in any state, for finding those that a bank line quotes. `search_tail` reverses a number without punctuation.
create view quotable_invoices as
select organization_id, id, customer_id, number, search_tail(number) as number_tail, payment_reference,
  search_tail(payment_reference) as reference_tail
from invoices where deleted_at is null and number is not null;

-- context: expenses
create index expenses_reference_tail on expenses (organization_id, search_tail(reference) text_pattern_ops)
  where deleted_at is null and reference is not null;

-- Expenses in any state, for finding those that a bank line quotes.
create view quotable_expenses as
select organization_id, id, vendor, reference, search_tail(reference) as reference_tail
from expenses where deleted_at is null;

-- context: organizations
-- Scores had 40 as the lowest suggestion and 80 as the usual threshold; these are 30 and 50 now.
update organizations set settings = jsonb_set(settings, '{reconciliation_auto_threshold}',
  to_jsonb(10 + (settings ->> 'reconciliation_auto_threshold')::integer / 2))
where settings ? 'reconciliation_auto_threshold';

-- context: banking
create index bank_transactions_payer on bank_transactions (organization_id, counterparty_iban)
  where status in ('matched', 'partially_matched') and counterparty_iban is not null;

update bank_transactions set suggestion = jsonb_set(suggestion, '{score}',
  to_jsonb(least(100, 10 + (suggestion ->> 'score')::integer / 2)))
where suggestion ->> 'type' in ('invoice', 'expense') and (suggestion ->> 'score')::integer > 0;
