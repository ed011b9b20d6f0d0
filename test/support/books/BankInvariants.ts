/** Each query returns the rows that violate the invariant in its key. */
export const bankInvariants: Readonly<Record<string, string>> = {
  "The matches of a bank line add up to its matched amount; a negative match is a deduction.": `
    select t.id, t.status, t.matched_amount, m.matched from bank_transactions t,
      lateral (select coalesce(sum(amount), 0) as matched from bank_matches
        where bank_transaction_id = t.id and undone_at is null) m
    where m.matched <> t.matched_amount or m.matched > abs(t.amount)
      or m.matched <= 0 and exists (select from bank_matches where bank_transaction_id = t.id and undone_at is null)
      or exists (select from bank_matches where bank_transaction_id = t.id and undone_at is null
        and coalesce(invoice_id, expense_id) is not null) <> (coalesce(t.invoice_id, t.expense_id) is not null)`,
  "A match has the sign of its line, and equals its payment or its refunds.": `
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
      or m.payment_id is not null and p.amount is distinct from abs(m.amount)
      or m.payment_id is not null and not (m.is_payment_linked and m.undone_at is not null) and (
        p.bank_transaction_id is distinct from m.bank_transaction_id
        or (p.deleted_at is null) <> (m.undone_at is null))`,
  "The matches of an expense do not exceed its amount, and pay it if they equal it.": `
    select e.id, e.amount, m.matched from expenses e,
      lateral (select coalesce(sum(abs(amount)), 0) as matched from bank_matches
        where expense_id = e.id and undone_at is null) m
    where m.matched > abs(e.amount) or (m.matched > 0) <> (e.bank_transaction_id is not null)
      or (m.matched = abs(e.amount) and e.status <> 'paid')`,
  "The books contain every line of a bank statement, which leads from the opening to the closing balance.": `
    select b.id, b.summary, stored.* from bank_imports b,
      lateral (select count(*)::integer as lines, coalesce(sum(amount), 0) as sum
        from bank_transactions where import_session_id = b.id) stored,
      lateral (select (b.summary #>> '{credits,sum}')::numeric + (b.summary #>> '{debits,sum}')::numeric as sum) told,
      lateral jsonb_to_record(b.summary) as s (lines_total integer, imported integer, duplicates integer,
        statements integer, balance_check text, opening_balance numeric, closing_balance numeric)
    where stored.lines <> s.imported or s.imported + s.duplicates <> s.lines_total
      or (s.duplicates = 0 and stored.sum <> told.sum)
      or (s.statements = 1 and s.balance_check = 'passed' and s.opening_balance + told.sum <> s.closing_balance)`
}
