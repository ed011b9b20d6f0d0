/** Each query returns the rows that violate the invariant in its key. */
export const documentInvariants: Readonly<Record<string, string>> = {
  "An organization's invoice numbers have no gaps or duplicates.": `
    select c.organization_id, c.taken, i.kept from (
      select organization_id, sum(next - 1) as taken from document_counters where document = 'invoice' group by 1) c
    join organizations o on o.id = c.organization_id,
      lateral (select count(number) as kept from invoices where organization_id = c.organization_id) i
    where i.kept <> c.taken and o.settings ->> 'invoice_next_number' is null`,
  "An invoice has a number if and only if it is issued, and a void one has no payments.": `
    select id from invoices
    where number is not null and (deleted_at is not null or (issued_at is null) <> (state in ('draft', 'void')))
      or state = 'void' and (amount_paid, amount_credited) <> (prepaid_amount, 0)`,
  "An invoice's paid and refunded amounts are the sums of its payments.": `
    select i.id, i.amount_paid, i.amount_refunded, m.paid, m.refunded from invoices i,
      lateral (select coalesce(sum(p.amount) filter (where not p.is_prepayment), 0) as paid,
          coalesce(sum(p.refunded_amount), 0) as refunded
        from payments p where p.invoice_id = i.id and p.deleted_at is null) m
    where i.organization_id in (select organization_id from payments)
      and (i.amount_paid <> m.paid + i.prepaid_amount or i.amount_refunded <> m.refunded)`,
  "A payment's refunded amount is the sum of its refunds, and a deleted payment has none.": `
    select p.id from payments p
    where p.refunded_amount <> (select coalesce(sum(r.amount), 0) from payment_refunds r
      where r.payment_id = p.id and r.reversed_at is null)
      or (p.deleted_at is not null and p.refunded_amount > 0)`,
  "The lines, discounts, charges and taxes of invoices and quotes add up to the totals.": `
    select i.id from (
        select id, items, discounts, charges, discount_total, charge_total, tax_breakdown, subtotal, tax_total,
          rounding_adjustment, total from invoices
        union all
        select id, items, discounts, charges, discount_total, charge_total, tax_breakdown, subtotal, tax_total, 0, total
        from quotes) i,
      lateral (select coalesce(sum((l ->> 'tax_amount')::numeric), 0) as tax,
          coalesce(sum((l ->> 'discount_amount')::numeric), 0) as discount,
          coalesce(sum((l ->> 'line_total')::numeric), 0) as net from jsonb_array_elements(i.items) l) lines,
      lateral (select coalesce(sum((d ->> 'tax_amount')::numeric), 0) as tax,
          coalesce(sum((d ->> 'net_amount')::numeric), 0) as net from jsonb_array_elements(i.discounts) d) less,
      lateral (select coalesce(sum((c ->> 'tax_amount')::numeric), 0) as tax,
          coalesce(sum((c ->> 'net_amount')::numeric), 0) as net from jsonb_array_elements(i.charges) c) more,
      lateral (select coalesce(sum((g ->> 'tax_amount')::numeric), 0) as tax
        from jsonb_array_elements(i.tax_breakdown) g) groups
    where jsonb_array_length(i.items) > 0
      and (lines.tax - less.tax + more.tax <> i.tax_total or groups.tax <> i.tax_total
        or lines.net - less.net + more.net <> i.subtotal or lines.discount + less.net <> i.discount_total
        or more.net <> i.charge_total
        or i.total <> i.subtotal + i.tax_total + i.rounding_adjustment)`,
  "An organization's quote numbers have no gaps or duplicates.": `
    select c.organization_id, c.next - 1 as taken, count(q.id)::integer as issued
    from document_counters c left join quotes q on q.organization_id = c.organization_id and q.number is not null
      and split_part(q.number, '-', 2) = c.series
    join organizations o on o.id = c.organization_id
    where c.document = 'quote' and o.settings ->> 'invoice_number_format' is null group by c.organization_id, c.series, c.next having count(q.id) <> c.next - 1`,
  "A quote is converted if and only if its invoice exists.": `
    select q.id from quotes q left join invoices i on i.id = q.invoice_id
    where (q.status = 'converted' and i.quote_id is distinct from q.id)
      or (q.invoice_id is null and exists (
        select from invoices where quote_id = q.id and deleted_at is null and voided_at is null))`,
  "An issued document prints the customer and the letterhead as they were when it was issued.": `
    select issued.document, issued.id from (
      select organization_id, 'invoice' as document, id from invoices
      where issued_at is not null and jsonb_array_length(items) > 0
      union all
      select organization_id, 'quote', id from quotes where status in ('sent', 'accepted', 'converted')
      union all
      select organization_id, 'credit_note', id from credit_notes where sent_at is not null) issued
    left join document_correspondents c on c.organization_id = issued.organization_id
      and c.document = issued.document and c.document_id = issued.id
    where c.document_id is null`,
  "The tallies from which lists take their totals equal a count of the rows.": `
    select organization_id, state, issue_date, due_date, sum(count) from (
      select organization_id, state, issue_date, due_date, count from invoice_tallies
      union all
      select organization_id, state, issue_date, tallied_due_date(state, due_date), -1
      from invoices where deleted_at is null) told
    group by 1, 2, 3, 4 having sum(count) <> 0`,
  "The sales entries that reports read equal the documents.": `
    with entered as (
      select organization_id, document, document_id, date, customer_id, currency, exchange_rate, sum(net) as net,
        sum(tax) as tax, sum(rounding) as rounding
      from sales_entries group by 1, 2, 3, 4, 5, 6, 7),
    documents as (
      select organization_id, 'invoice', id, issue_date, customer_id, currency, exchange_rate, subtotal, tax_total,
        rounding_adjustment
      from invoices where issued_at is not null and deleted_at is null and jsonb_array_length(tax_breakdown) > 0
      union all
      select organization_id, 'credit_note', id, issue_date, customer_id, currency, exchange_rate, -subtotal, -tax_total,
        -rounding_adjustment
      from credit_notes where sent_at is not null)
    (select * from entered except select * from documents) union all
    (select * from documents except select * from entered)`,
  "The last event of a record carries its latest version. Some tests insert records without an event.": `
    with told as (
      select distinct on (organization_id, data ->> 'object', data ->> 'id') organization_id, data ->> 'object' as object,
        (data ->> 'id')::bigint as id, type, (data #>> '{attributes,version}')::integer as version
      from outbox where data #> '{attributes,version}' is not null
      order by organization_id, data ->> 'object', data ->> 'id', sequence desc),
    records (object, organization_id, id, version) as (
      select 'invoice', organization_id, id, version from invoices where deleted_at is null
      union all select 'quote', organization_id, id, version from quotes where deleted_at is null
      union all select 'credit_note', organization_id, id, version from credit_notes where deleted_at is null
      union all select 'payment', organization_id, id, version from payments where deleted_at is null
      union all select 'customer', organization_id, id, version from customers where deleted_at is null
      union all select 'contact', organization_id, id, version from contacts where deleted_at is null
      union all select 'bank_rule', organization_id, id, version from bank_rules where deleted_at is null)
    select object, id, records.version, told.type, told.version as told from records
    join told using (object, organization_id, id)
    where records.version <> told.version`
}
