import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { verifiedAuditLog } from "./AuditLog.ts"
import { verifyTallies } from "./database/Tallies.ts"

/**
 * Checks what holds for every organization after any operations: numbers without gaps or duplicates; payments, taxes
 * and bank lines that add up; the customer and the letterhead that each issued document prints; tallies and sales
 * entries equal to the rows; archived documents; the last event of each invoice; statuses of submissions; an unbroken
 * audit chain; events without gaps.
 */
export const verifyBooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  expect(
    yield* sql`
    select c.organization_id, c.taken, i.kept from (
      select organization_id, sum(next - 1) as taken from document_counters where document = 'invoice' group by 1) c
    join organizations o on o.id = c.organization_id,
      lateral (select count(number) as kept from invoices where organization_id = c.organization_id) i
    where i.kept <> c.taken and o.settings ->> 'invoice_next_number' is null`
  ).toEqual([])
  expect(
    yield* sql`
    select id from invoices
    where number is not null and (deleted_at is not null or (issued_at is null) <> (state in ('draft', 'void')))
      or state = 'void' and (amount_paid, amount_credited) <> (prepaid_amount, 0)`
  ).toEqual([])
  expect(
    yield* sql`
    select i.id, i.amount_paid, i.amount_refunded, m.paid, m.refunded from invoices i,
      lateral (select coalesce(sum(p.amount), 0) as paid, coalesce(sum(p.refunded_amount), 0) as refunded
        from payments p where p.invoice_id = i.id and p.deleted_at is null) m
    where i.organization_id in (select organization_id from payments)
      and (i.amount_paid <> m.paid + i.prepaid_amount or i.amount_refunded <> m.refunded)`
  ).toEqual([])
  expect(
    yield* sql`
    select p.id from payments p
    where p.refunded_amount <> (select coalesce(sum(r.amount), 0) from payment_refunds r
      where r.payment_id = p.id and r.reversed_at is null)
      or (p.deleted_at is not null and p.refunded_amount > 0)`
  ).toEqual([])
  expect(
    yield* sql`
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
        or i.total <> i.subtotal + i.tax_total + i.rounding_adjustment)`
  ).toEqual([])
  expect(
    yield* sql`
    select c.organization_id, c.next - 1 as taken, count(q.id)::integer as issued
    from document_counters c left join quotes q on q.organization_id = c.organization_id and q.number is not null
      and split_part(q.number, '-', 2) = c.series
    join organizations o on o.id = c.organization_id
    where c.document = 'quote' and o.settings ->> 'invoice_number_format' is null group by c.organization_id, c.series, c.next having count(q.id) <> c.next - 1`
  ).toEqual([])
  expect(
    yield* sql`
    select q.id from quotes q left join invoices i on i.id = q.invoice_id
    where (q.status = 'converted' and i.quote_id is distinct from q.id)
      or (q.invoice_id is null and exists (
        select from invoices where quote_id = q.id and deleted_at is null and voided_at is null))`
  ).toEqual([])
  // The matches of a line add up to its matched amount; a negative match is a deduction. A match equals its payment or
  // its refunds, and the matches of an expense do not exceed its amount.
  expect(
    yield* sql`
    select t.id, t.status, t.matched_amount, m.matched from bank_transactions t,
      lateral (select coalesce(sum(amount), 0) as matched from bank_matches
        where bank_transaction_id = t.id and undone_at is null) m
    where m.matched <> t.matched_amount or m.matched > abs(t.amount)
      or m.matched <= 0 and exists (select from bank_matches where bank_transaction_id = t.id and undone_at is null)
      or exists (select from bank_matches where bank_transaction_id = t.id and undone_at is null
        and coalesce(invoice_id, expense_id) is not null) <> (coalesce(t.invoice_id, t.expense_id) is not null)`
  ).toEqual([])
  expect(
    yield* sql`
    select m.id from bank_matches m join bank_transactions t on t.id = m.bank_transaction_id
      left join payments p on p.id = m.payment_id
    where m.invoice_id is not null and t.amount * m.amount < 0
      or m.expense_id is not null
        and sign(t.amount * m.amount) = sign((select amount from expenses where id = m.expense_id))
      or coalesce(m.payment_refund_id, m.credit_note_id) is not null and t.amount * m.amount > 0
      or m.credit_note_id is not null and m.undone_at is null and abs(m.amount) is distinct from (
        select sum(r.amount) from payment_refunds r where r.id = any (m.booked_refund_ids) and r.reversed_at is null)
      or m.transfer_transaction_id is not null and m.undone_at is null and not exists (
        select from bank_matches o where o.bank_transaction_id = m.transfer_transaction_id
          and o.transfer_transaction_id = m.bank_transaction_id and o.undone_at is null)
      or m.payment_id is not null and (
        (p.bank_transaction_id, p.amount) is distinct from (m.bank_transaction_id, abs(m.amount))
        or (p.deleted_at is null) <> (m.undone_at is null))`
  ).toEqual([])
  expect(
    yield* sql`
    select e.id, e.amount, m.matched from expenses e,
      lateral (select coalesce(sum(abs(amount)), 0) as matched from bank_matches
        where expense_id = e.id and undone_at is null) m
    where m.matched > abs(e.amount) or (m.matched > 0) <> (e.bank_transaction_id is not null)
      or (m.matched = abs(e.amount) and e.status <> 'paid')`
  ).toEqual([])
  // The books contain every line of a bank statement, and its lines lead from the opening to the closing balance.
  expect(
    yield* sql`
    select b.id, b.summary, stored.* from bank_imports b,
      lateral (select count(*)::integer as lines, coalesce(sum(amount), 0) as sum
        from bank_transactions where import_session_id = b.id) stored,
      lateral (select (b.summary #>> '{credits,sum}')::numeric + (b.summary #>> '{debits,sum}')::numeric as sum) told,
      lateral jsonb_to_record(b.summary) as s (lines_total integer, imported integer, duplicates integer,
        statements integer, balance_check text, opening_balance numeric, closing_balance numeric)
    where stored.lines <> s.imported or s.imported + s.duplicates <> s.lines_total
      or (s.duplicates = 0 and stored.sum <> told.sum)
      or (s.statements = 1 and s.balance_check = 'passed' and s.opening_balance + told.sum <> s.closing_balance)`
  ).toEqual([])
  // An issued document prints the customer and the letterhead as they were when it was issued.
  expect(
    yield* sql`
    select issued.document, issued.id from (
      select organization_id, 'invoice' as document, id from invoices
      where issued_at is not null and jsonb_array_length(items) > 0
      union all
      select organization_id, 'quote', id from quotes where status in ('sent', 'accepted', 'converted')
      union all
      select organization_id, 'credit_note', id from credit_notes where sent_at is not null) issued
    left join document_correspondents c on c.organization_id = issued.organization_id
      and c.document = issued.document and c.document_id = issued.id
    where c.document_id is null`
  ).toEqual([])
  // Lists take their totals from the tallies, which must therefore equal a count of the rows.
  expect(
    yield* sql`
    select organization_id, state, issue_date, due_date, sum(count) from (
      select organization_id, state, issue_date, due_date, count from invoice_tallies
      union all
      select organization_id, state, issue_date, tallied_due_date(state, due_date), -1
      from invoices where deleted_at is null) told
    group by 1, 2, 3, 4 having sum(count) <> 0`
  ).toEqual([])
  yield* verifyTallies
  // Reports read the sales entries, which must therefore equal the documents.
  expect(
    yield* sql`
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
    (select * from documents except select * from entered)`
  ).toEqual([])
  // Documents issued under a plan with a vault are archived, or waiting to be.
  expect(
    yield* sql`
    select issued.document, issued.id from (
      select organization_id, 'invoice' as document, id, number from invoices
      where issued_at is not null and jsonb_array_length(items) > 0
      union all
      select organization_id, 'credit_note', id, number from credit_notes where sent_at is not null) issued
    join organizations o on o.id = issued.organization_id and o.plan = 'business'
    where not exists (
        select from archive_deposits d where d.organization_id = o.id and d.document_type = issued.document
          and d.document_id = issued.id and d.number = issued.number)
      and not exists (
        select from archive_objects a where a.organization_id = o.id and a.document_type = issued.document
          and a.document_id = issued.id and a.number = issued.number and a.object_kind = 'pdf')`
  ).toEqual([])
  // Positions in an archive have no gaps; its counts equal its objects; each object has an audit entry.
  expect(
    yield* sql`
    select v.organization_id, v.objects, v.bytes, found.*, recorded.* from vaults v,
      lateral (select count(*) as rows, coalesce(max(o.position), 0) as last, coalesce(sum(o.size_bytes), 0) as stored
        from archive_objects o where o.organization_id = v.organization_id) found,
      lateral (select count(*) as entries from audit_entries e
        where e.organization_id = v.organization_id and e.canonical like '{"action":"archive.stored",%') recorded
    where (v.objects, v.objects, v.objects, v.bytes)
      is distinct from (found.rows, found.last, recorded.entries, found.stored)`
  ).toEqual([])
  yield* verifyInvoiceEvents
  yield* verifySubmissions
  const organizations = yield* sql<{ organization_id: number }>`select organization_id from journals`
  yield* Effect.forEach(organizations, ({ organization_id }) => verifiedAuditLog(organization_id), { discard: true })
})

/** Clients of webhooks never hold a stale invoice: its last event carries its latest version. */
const verifyInvoiceEvents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Some tests insert invoices by SQL, without any event.
  expect(
    yield* sql`
    with told as (
      select distinct on (organization_id, data ->> 'id') organization_id, (data ->> 'id')::bigint as id, type,
        (data #>> '{attributes,version}')::integer as version
      from outbox where data ->> 'object' = 'invoice'
      order by organization_id, data ->> 'id', sequence desc)
    select i.id, i.version, told.type, told.version as told from invoices i
    join told on told.organization_id = i.organization_id and told.id = i.id
    where i.deleted_at is null and i.version <> told.version`
  ).toEqual([])
})

/**
 * Submissions have the status of their history; bytes that a network may have are archived; each step that matters is
 * one event, and each exchange one row in the archive.
 */
const verifySubmissions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A submission can fail only before its receiver has it, so its status is the furthest step of its history.
  expect(
    yield* sql`
    with steps (status, rank) as (
      values ('pending', 0), ('submitted', 1), ('sent', 2), ('failed', 3), ('delivered', 4), ('accepted', 5), ('rejected', 5))
    select e.id, e.status, furthest.status as told from einvoices e left join
      lateral (select m.status from einvoice_messages m join steps using (status)
        where m.organization_id = e.organization_id and m.einvoice_id = e.id
        order by steps.rank desc, m.position limit 1) furthest on true
    where e.status is distinct from furthest.status
      or (e.status in ('rejected', 'failed')) <> (e.reason is not null)
      or (e.status in ('rejected', 'failed')) <> (e.retryable is not null)`
  ).toEqual([])
  expect(
    yield* sql`
    with due as (
      select e.organization_id, e.id, step.type from einvoices e,
        lateral (select array_agg(status) as statuses from einvoice_messages
          where organization_id = e.organization_id and einvoice_id = e.id) history,
        lateral (values
          ('einvoice.sent', statuses && array['sent', 'delivered', 'accepted']),
          ('einvoice.delivered', statuses && array['delivered', 'accepted']),
          ('einvoice.failed', e.status in ('rejected', 'failed'))) step (type, is_due)
      where step.is_due
      union all
      select organization_id, id, 'einvoice.received' from received_documents),
    told as (
      select organization_id, (data ->> 'id')::bigint as id, type from outbox where type like 'einvoice.%')
    (select * from due except all select * from told) union all (select * from told except all select * from due)`
  ).toEqual([])
  expect(
    yield* sql`
    with due as (
      select e.organization_id, e.transmission_id || ':' || m.message_id as id, m.code, e.number,
        case when m.message_id = 'submission' then e.xml_object_id else m.archive_object_id end as object_id
      from einvoices e join einvoice_messages m on m.organization_id = e.organization_id and m.einvoice_id = e.id
      where m.source <> 'service'
        or m.receipt_type not in ('unsigned_document', 'signed_document', 'signer_certificate')),
    recorded as (
      select t.organization_id, t.id, t.code, t.number, t.object_id from archive_transmissions t
      join einvoices e on e.organization_id = t.organization_id
        and e.transmission_id::text = split_part(t.id, ':', 1))
    (select * from due except all select * from recorded) union all
    (select * from recorded except all select * from due)`
  ).toEqual([])
  expect(
    yield* sql`
    select e.id, kept.id as object from einvoices e join archive_objects kept on kept.id = e.xml_object_id
    where kept.sha256 <> e.xml_sha256 or kept.object_kind <> 'ubl_xml' or kept.number <> e.number
    union all
    select m.einvoice_id, kept.id from einvoice_messages m join archive_objects kept on kept.id = m.archive_object_id
    where kept.sha256 <> m.receipt_sha256
      or kept.object_kind <> case when m.receipt_type like '%signed_document' then 'ubl_xml' else 'evidence' end
    union all
    select id, null from einvoices where (status = 'pending' or retryable) is not true and xml_object_id is null`
  ).toEqual([])
})
