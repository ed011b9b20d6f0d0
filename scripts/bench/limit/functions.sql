create function caller(token bytea, organization integer, scope text, permission text) returns integer
language sql stable as $$
  select t.user_id from tokens t join members m on m.user_id = t.user_id and m.organization_id = organization
  where t.hash = token and t.revoked_at is null and t.expires_at > now() and scope = any(t.scopes)
    and permission = any(m.permissions)
$$;

create function api_get_invoice(token bytea, organization integer, invoice integer, out status integer, out body text)
language plpgsql stable as $$
begin
  if caller(token, organization, 'invoices:read', 'invoices.view') is null then
    status := 401; body := '{}'; return;
  end if;
  select json_build_object('id', i.id, 'organization_id', i.organization_id, 'customer_id', i.customer_id,
    'customer', json_build_object('id', c.id, 'name', c.name, 'email', c.email), 'number', i.number, 'status', i.status,
    'issue_date', i.issue_date, 'due_date', i.due_date, 'currency', i.currency, 'subtotal', i.subtotal,
    'tax_total', i.tax_total, 'total', i.total, 'amount_paid', i.amount_paid, 'balance_due', i.total - i.amount_paid,
    'notes', i.notes, 'terms', i.terms, 'created_at', i.created_at,
    'items', (
      select json_agg(json_build_object('id', l.id, 'position', l.position, 'description', l.description,
        'quantity', l.quantity, 'unit_price', l.unit_price, 'amount', l.amount, 'tax_exempt', l.tax_exempt,
        'tax_rates', coalesce((
          select json_agg(json_build_object('tax_rate_id', t.tax_rate_id, 'name', t.name, 'rate', t.rate, 'amount', t.amount)
            order by t.id)
          from item_taxes t where t.item_id = l.id), '[]'::json)) order by l.position)
      from items l where l.invoice_id = i.id))::text
  into body
  from invoices i join customers c on c.id = i.customer_id
  where i.id = invoice and i.organization_id = organization and i.deleted_at is null;
  status := case when body is null then 404 else 200 end;
  body := coalesce(body, '{}');
end $$;

create function api_list_invoices(token bytea, organization integer, skipped integer, out status integer, out body text)
language plpgsql stable as $$
begin
  if caller(token, organization, 'invoices:read', 'invoices.view') is null then
    status := 401; body := '{}'; return;
  end if;
  status := 200;
  select json_build_object('data', coalesce(json_agg(listed), '[]'::json), 'meta', json_build_object('per_page', 25,
    'total', (select count(*) from invoices where organization_id = organization and deleted_at is null)))::text
  into body
  from (
    select i.id, i.number, i.status, i.issue_date, i.due_date, i.currency, i.total, i.amount_paid, i.customer_id,
      (select c.name from customers c where c.id = i.customer_id) as customer_name
    from invoices i where i.organization_id = organization and i.deleted_at is null
    order by i.issue_date desc, i.id desc limit 25 offset skipped) listed;
end $$;

create function api_create_invoice(token bytea, organization integer, sent jsonb, out status integer, out body text)
language plpgsql as $$
declare
  caller_id integer := caller(token, organization, 'invoices:write', 'invoices.create');
  debtor record;
  invoice integer;
  made record;
begin
  if caller_id is null then
    status := 401; body := '{}'; return;
  end if;
  select id, name, email into debtor from customers
  where id = (sent->>'customer_id')::integer and organization_id = organization and deleted_at is null;
  if not found then
    status := 422; body := '{}'; return;
  end if;
  invoice := nextval('invoices_id_seq');
  with lines as (
    select nextval('items_id_seq')::integer as id, l.ordinality::integer as position, l.description, l.quantity,
      l.unit_price, round(l.quantity * l.unit_price, 2) as amount, coalesce(l.tax_exempt, false) as tax_exempt,
      l.tax_rate_ids
    from rows from (jsonb_to_recordset(sent->'items') as (description text, quantity numeric, unit_price numeric,
      tax_exempt boolean, tax_rate_ids integer[])) with ordinality as l),
  taxes as (
    select l.id as item_id, r.id as tax_rate_id, r.name, r.rate, round(l.amount * r.rate / 100, 2) as amount
    from lines l join tax_rates r on r.organization_id = organization and not l.tax_exempt
      and (r.id = any(l.tax_rate_ids) or (l.tax_rate_ids is null and r.is_default))),
  totals as (
    select (select sum(amount) from lines) as subtotal, coalesce((select sum(amount) from taxes), 0) as tax_total),
  -- The hash of the request (`digest`) is computed before the row of `counters` is locked, so that the lock is short.
  facts as materialized (select sha256(convert_to(sent::text, 'UTF8')) as digest),
  counted as (
    update counters set next_invoice = next_invoice + 1, entries = entries + 1,
      head = sha256(head || digest || int8send(entries + 1))
    from facts where organization_id = organization
    returning old.next_invoice as sequence, entries, digest, old.head as previous, new.head as hash),
  invoiced as (
    insert into invoices (id, organization_id, customer_id, number, status, issue_date, due_date, currency, subtotal,
      tax_total, total, notes, terms)
    select invoice, organization, debtor.id, 'INV-' || lpad(sequence::text, 6, '0'), 'draft', (sent->>'issue_date')::date,
      (sent->>'due_date')::date, sent->>'currency', subtotal, tax_total, subtotal + tax_total, sent->>'notes',
      sent->>'terms'
    from counted, totals returning number, created_at),
  itemized as (
    insert into items (id, invoice_id, position, description, quantity, unit_price, amount, tax_exempt)
    select id, invoice, position, description, quantity, unit_price, amount, tax_exempt from lines),
  taxed as (
    insert into item_taxes (item_id, tax_rate_id, name, rate, amount)
    select item_id, tax_rate_id, name, rate, amount from taxes),
  published as (
    insert into outbox (organization_id, event, payload)
    select organization, 'invoice.created', jsonb_build_object('id', invoice, 'number', number,
      'total', subtotal + tax_total, 'currency', sent->>'currency')
    from invoiced, totals),
  audited as (
    insert into audit_entries (organization_id, seq, user_id, action, record_id, sha256, previous, hash)
    select organization, entries, caller_id, 'invoice.created', invoice, digest, previous, hash from counted)
  select number, created_at, subtotal, tax_total, (
    select json_agg(json_build_object('id', l.id, 'position', l.position, 'description', l.description,
      'quantity', l.quantity, 'unit_price', l.unit_price, 'amount', l.amount, 'tax_exempt', l.tax_exempt,
      'tax_rates', coalesce((
        select json_agg(json_build_object('tax_rate_id', t.tax_rate_id, 'name', t.name, 'rate', t.rate, 'amount', t.amount))
        from taxes t where t.item_id = l.id), '[]'::json)) order by l.position)
    from lines l) as items
  into made from invoiced, totals;
  status := 201;
  body := json_build_object('id', invoice, 'organization_id', organization, 'customer_id', debtor.id,
    'customer', json_build_object('id', debtor.id, 'name', debtor.name, 'email', debtor.email), 'number', made.number,
    'status', 'draft', 'issue_date', sent->>'issue_date', 'due_date', sent->>'due_date', 'currency', sent->>'currency',
    'subtotal', made.subtotal, 'tax_total', made.tax_total, 'total', made.subtotal + made.tax_total, 'amount_paid', 0.00,
    'balance_due', made.subtotal + made.tax_total, 'notes', sent->>'notes', 'terms', sent->>'terms',
    'created_at', made.created_at, 'items', made.items)::text;
end $$;

create function api_pay(token bytea, organization integer, sent jsonb, out status integer, out body text)
language plpgsql as $$
declare
  caller_id integer := caller(token, organization, 'payments:write', 'payments.create');
  paid numeric := (sent->>'amount')::numeric;
  invoice record;
  payment record;
begin
  if caller_id is null then
    status := 401; body := '{}'; return;
  end if;
  select id, total, amount_paid into invoice from invoices
  where id = (sent->>'invoice_id')::integer and organization_id = organization and deleted_at is null for update;
  if not found or paid <= 0 or invoice.amount_paid + paid > invoice.total then
    status := 422; body := '{}'; return;
  end if;
  insert into payments (organization_id, invoice_id, amount, payment_date, payment_method, reference, notes)
  values (organization, invoice.id, paid, (sent->>'payment_date')::date, sent->>'payment_method', sent->>'reference',
    sent->>'notes')
  returning * into payment;
  update invoices i set amount_paid = i.amount_paid + paid, updated_at = now(),
    status = case when i.amount_paid + paid = i.total then 'paid' else 'partially_paid' end
  where i.id = invoice.id;
  insert into outbox (organization_id, event, payload) values (organization, 'payment.created',
    jsonb_build_object('id', payment.id, 'invoice_id', invoice.id, 'amount', paid));
  with facts as materialized (select sha256(convert_to(sent::text, 'UTF8')) as digest),
  counted as (
    update counters set entries = entries + 1, head = sha256(head || digest || int8send(entries + 1))
    from facts where organization_id = organization
    returning entries, digest, old.head as previous, new.head as hash)
  insert into audit_entries (organization_id, seq, user_id, action, record_id, sha256, previous, hash)
  select organization, entries, caller_id, 'payment.created', payment.id, digest, previous, hash from counted;
  status := 201;
  body := json_build_object('id', payment.id, 'invoice_id', invoice.id, 'amount', payment.amount,
    'payment_date', payment.payment_date, 'payment_method', payment.payment_method, 'reference', payment.reference,
    'notes', payment.notes, 'created_at', payment.created_at,
    'invoice_balance', invoice.total - invoice.amount_paid - paid)::text;
end $$;
