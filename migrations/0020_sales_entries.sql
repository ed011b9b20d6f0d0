-- context: billing
-- What issued documents say about revenue and tax, by their own date: a row for each rate and category of a document,
-- credit notes negative. Reports read these narrow rows, out of the index alone, in place of a million documents with
-- their lines. Kept by triggers in the very statement that issues the document; payments and drafts do not touch them.
create table sales_entries (
  organization_id integer not null,
  date date not null,
  document text not null check (document in ('invoice', 'credit_note')),
  document_id integer not null,
  line integer not null,
  customer_id integer not null,
  currency char(3) not null,
  exchange_rate numeric(18, 6),
  rate numeric(9, 4) not null,
  category text not null,
  taxable numeric(18, 6) not null,
  tax numeric(18, 6) not null,
  -- Of the whole document, on its first row and zero on the others, so that each sum has a document once: a line that
  -- bears two taxes is in the taxable amount of both.
  net numeric(18, 6) not null,
  rounding numeric(18, 6) not null,
  primary key (organization_id, date, document, document_id, line)
    include (customer_id, currency, exchange_rate, rate, category, taxable, tax, net, rounding)
);

-- The tax breakdown by rate and category, whichever of the organization's rates they came from.
create function sales_lines(tax_breakdown jsonb)
  returns table (line integer, rate numeric, category text, taxable numeric, tax numeric) language sql immutable as $$
  select row_number() over (order by min(place))::integer, rate, category, sum(taxable_amount), sum(tax_amount)
  from rows from (jsonb_to_recordset(tax_breakdown)
    as (rate numeric, category text, taxable_amount numeric, tax_amount numeric)) with ordinality
    as taxes (rate, category, taxable_amount, tax_amount, place)
  group by rate, category
$$;

create function enter_invoice_sales() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sales_entries where organization_id = old.organization_id and date = old.issue_date
      and document = 'invoice' and document_id = old.id;
  end if;
  if new.issued_at is not null and new.deleted_at is null then
    insert into sales_entries
    select new.organization_id, new.issue_date, 'invoice', new.id, line, new.customer_id, new.currency,
      new.exchange_rate, rate, category, taxable, tax, case line when 1 then new.subtotal else 0 end,
      case line when 1 then new.rounding_adjustment else 0 end
    from sales_lines(new.tax_breakdown);
  end if;
  return null;
end
$$;

create function enter_credit_note_sales() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sales_entries where organization_id = old.organization_id and date = old.issue_date
      and document = 'credit_note' and document_id = old.id;
  end if;
  if new.sent_at is not null then
    insert into sales_entries
    select new.organization_id, new.issue_date, 'credit_note', new.id, line, new.customer_id, new.currency,
      new.exchange_rate, rate, category, -taxable, -tax, case line when 1 then -new.subtotal else 0 end,
      case line when 1 then -new.rounding_adjustment else 0 end
    from sales_lines(new.tax_breakdown);
  end if;
  return null;
end
$$;

create trigger invoices_sales_insert after insert on invoices for each row
  when (new.issued_at is not null and new.deleted_at is null)
  execute function enter_invoice_sales();
create trigger invoices_sales_update after update of customer_id, issue_date, currency, exchange_rate, tax_breakdown,
    subtotal, rounding_adjustment, issued_at, deleted_at on invoices for each row
  when ((old.issued_at is not null or new.issued_at is not null)
    and (old.issued_at is null, old.deleted_at is null, old.customer_id, old.issue_date, old.currency,
      old.exchange_rate, old.tax_breakdown, old.subtotal, old.rounding_adjustment)
    is distinct from (new.issued_at is null, new.deleted_at is null, new.customer_id, new.issue_date, new.currency,
      new.exchange_rate, new.tax_breakdown, new.subtotal, new.rounding_adjustment))
  execute function enter_invoice_sales();

create trigger credit_notes_sales_insert after insert on credit_notes for each row
  when (new.sent_at is not null)
  execute function enter_credit_note_sales();
create trigger credit_notes_sales_update after update of customer_id, issue_date, currency, exchange_rate,
    tax_breakdown, subtotal, rounding_adjustment, sent_at on credit_notes for each row
  when ((old.sent_at is not null or new.sent_at is not null)
    and (old.sent_at is null, old.customer_id, old.issue_date, old.currency, old.exchange_rate, old.tax_breakdown,
      old.subtotal, old.rounding_adjustment)
    is distinct from (new.sent_at is null, new.customer_id, new.issue_date, new.currency, new.exchange_rate,
      new.tax_breakdown, new.subtotal, new.rounding_adjustment))
  execute function enter_credit_note_sales();

insert into sales_entries
  select i.organization_id, issue_date, 'invoice', i.id, line, customer_id, currency, exchange_rate, rate, category,
    taxable, tax, case line when 1 then subtotal else 0 end, case line when 1 then rounding_adjustment else 0 end
  from invoices i, sales_lines(i.tax_breakdown) where issued_at is not null and deleted_at is null;
insert into sales_entries
  select n.organization_id, issue_date, 'credit_note', n.id, line, customer_id, currency, exchange_rate, rate, category,
    -taxable, -tax, case line when 1 then -subtotal else 0 end, case line when 1 then -rounding_adjustment else 0 end
  from credit_notes n, sales_lines(n.tax_breakdown) where sent_at is not null;
