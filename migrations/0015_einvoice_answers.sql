-- context: einvoicing

-- Invoice Responses (Peppol BIS 63) that arrived: the answers of recipients to documents of the organization. The next
-- poll of the document that an answer names reads it.
create table invoice_responses (
  organization_id bigint not null references organizations,
  message_id text not null,
  received_at timestamptz not null,
  -- The address on the envelope, because anybody can write another one into the message.
  sender text not null,
  number text not null,
  document_type text not null check (document_type in ('invoice', 'credit_note')),
  code text not null,
  reason text,
  content bytea not null,
  primary key (organization_id, message_id)
);

create index invoice_responses_number on invoice_responses (organization_id, number);

-- The status that the tax authority gave to a report after the platform had accepted it; null before the first one.
alter table french_reports add column authority_code text;
alter table french_reports add column authority_at timestamptz;

-- Totals of a report, for operators; null for reports of earlier versions. The total is the tax of sales, or the
-- money of payments, in euros.
alter table french_reports add column documents integer;
alter table french_reports add column total numeric;

-- Purchases abroad are reported, too.
alter table french_periods drop constraint french_periods_kind_check;
alter table french_periods add constraint french_periods_kind_check
  check (kind in ('transactions', 'payments', 'purchases'));

-- context: expenses

-- Expenses without tax, for reports to a tax authority about purchases whose buyer owes the tax.
create view untaxed_expenses as
select organization_id, id, version, expense_date, amount, currency, country, vendor, reference
from expenses
where deleted_at is null and status <> 'rejected' and coalesce(tax_amount, 0) = 0;
