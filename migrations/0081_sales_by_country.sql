-- context: billing
-- A sale under the EU's One Stop Shop is taxed in the customer's country, so the rows of the VAT report are those of one
-- country, category and rate. `country` is null for the organization's own country, which no entry named so far.
alter table sales_entries add column country text;
alter table sales_entries drop constraint sales_entries_pkey;
alter table sales_entries add primary key (organization_id, date, document, document_id, line)
  include (customer_id, currency, exchange_rate, rate, category, taxable, tax, net, rounding, country);

drop function sales_lines(jsonb);

create function sales_lines(tax_breakdown jsonb)
  returns table (line integer, country text, category text, rate numeric, taxable numeric, tax numeric)
  language sql immutable as $$
  select row_number() over (order by min(place))::integer, country, category, rate, sum(taxable_amount), sum(tax_amount)
  from rows from (jsonb_to_recordset(tax_breakdown)
    as (country text, category text, rate numeric, taxable_amount numeric, tax_amount numeric)) with ordinality
    as taxes (country, category, rate, taxable_amount, tax_amount, place)
  group by country, category, rate
$$;

create or replace function enter_invoice_sales() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sales_entries where organization_id = old.organization_id and date = old.issue_date
      and document = 'invoice' and document_id = old.id;
  end if;
  if new.issued_at is not null and new.deleted_at is null then
    insert into sales_entries (organization_id, date, document, document_id, line, customer_id, currency,
      exchange_rate, country, category, rate, taxable, tax, net, rounding)
    select new.organization_id, new.issue_date, 'invoice', new.id, line, new.customer_id, new.currency,
      new.exchange_rate, country, category, rate, taxable, tax, case line when 1 then new.subtotal else 0 end,
      case line when 1 then new.rounding_adjustment else 0 end
    from sales_lines(new.tax_breakdown);
  end if;
  return null;
end
$$;

create or replace function enter_credit_note_sales() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sales_entries where organization_id = old.organization_id and date = old.issue_date
      and document = 'credit_note' and document_id = old.id;
  end if;
  if new.sent_at is not null then
    insert into sales_entries (organization_id, date, document, document_id, line, customer_id, currency,
      exchange_rate, country, category, rate, taxable, tax, net, rounding)
    select new.organization_id, new.issue_date, 'credit_note', new.id, line, new.customer_id, new.currency,
      new.exchange_rate, country, category, rate, -taxable, -tax, case line when 1 then -new.subtotal else 0 end,
      case line when 1 then -new.rounding_adjustment else 0 end
    from sales_lines(new.tax_breakdown);
  end if;
  return null;
end
$$;
