import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import {
  BankTransactionId,
  CounterpartyId,
  CreditNoteId,
  ExpenseId,
  InvoiceId,
  OrganizationId,
  RefundId
} from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { partyKey } from "./candidates/CandidateIndex.ts"
import type { Confirmation } from "./candidates/Habits.ts"
import { recorded_days_max } from "./candidates/Candidate.ts"
import { Mentioned, RecordedQuery } from "./LineMatcher.ts"

/** Maximum number of open documents that are compared with lines. If there are more, the latest ones are compared. */
const candidates_max = 20_000
/** Number of open documents in one JSON text. A longer text would keep the process from other requests. */
const candidates_per_text = 1_000
const settled_max = 50_000
/** Maximum number of confirmed matches from which the names and codes of payers are learned. */
const confirmed_max = 5_000
/** Maximum number of mentioned texts that one SQL statement looks up. */
const keys_max = 5_000

const decodeMentioned = Schema.decodeUnknownEffect(Schema.Array(Mentioned))

const Confirmed = Schema.Struct({
  customer_id: Schema.NullOr(CounterpartyId),
  vendor: Schema.NullOr(Schema.String),
  expense_id: Schema.NullOr(ExpenseId),
  counterparty_name: Schema.NullOr(Schema.String),
  text: Schema.String
})

/** Reads the documents of an organization that bank lines may pay, from database views of billing and expenses. */
export class CandidatesRepo extends Context.Service<CandidatesRepo>()("invoicing/banking/matching/CandidatesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const open = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, currency: CurrencyCode, since: Day }),
      Result: Schema.Struct({ candidates: Schema.String }),
      execute: ({ currency, organization_id, since }) => sql`
        select json_agg(document order by place)::text as candidates from (
        select to_json(c) as document, row_number() over () as place from (
        select 'invoice' as type, 'credit' as direction, r.id, r.open::text, r.currency,
          r.issue_date as date, r.due_date, r.customer_id as counterparty_id, r.customer_name as counterparty_name,
          r.number, r.payment_reference as reference
        from receivables r
        where r.organization_id = ${organization_id} and r.currency = ${currency} and r.issue_date >= ${since}::date
        union all
        select 'credit_note', 'debit', n.id, least(n.refundable_amount - claimed.amount, n.overpaid)::text,
          n.currency, n.issue_date, n.issue_date, n.customer_id, n.customer_name, n.number, null
        from refundable_notes n
          cross join lateral (
            select coalesce(sum(abs(m.amount)), 0) as amount from bank_matches m
            where m.organization_id = n.organization_id and m.credit_note_id = n.id and m.undone_at is null) claimed
        where n.organization_id = ${organization_id} and n.currency = ${currency} and n.issue_date >= ${since}::date
          and n.refundable_amount > claimed.amount
        union all
        select 'expense', p.direction, p.id, (p.amount - claimed.amount)::text, p.currency,
          p.expense_date, p.expense_date, c.id, p.vendor, null, p.reference
        from (
            select *, 'debit' as direction from payables
            union all
            select *, 'credit' from supplier_credits) p
          left join lateral (
            select min(c.id) as id from counterparties c
            where c.organization_id = p.organization_id and c.name = p.vendor and c.is_vendor) c on true
          cross join lateral (
            select coalesce(sum(abs(m.amount)), 0) as amount from bank_matches m
            where m.organization_id = p.organization_id and m.expense_id = p.id and m.undone_at is null) claimed
        where p.organization_id = ${organization_id} and p.currency = ${currency} and p.expense_date >= ${since}::date
          and p.amount > claimed.amount
        order by date desc, id desc limit ${candidates_max}) c) placed
        group by (place - 1) / ${candidates_per_text}::integer order by min(place)`
    })

    const recorded = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, currency: CurrencyCode, ...RecordedQuery.fields }),
      Result: Schema.Struct({ candidates: Schema.String }),
      execute: ({ amounts, currency, first, last, organization_id }) => sql`
        with asked as (
          select value::numeric as amount from jsonb_array_elements_text(${JSON.stringify(amounts)}::jsonb)),
        days as (
          select ${first}::date - ${recorded_days_max}::integer as first, ${last}::date + ${recorded_days_max}::integer as last)
        select coalesce(json_agg(c), '[]')::text as candidates from (
        select 'invoice' as type, 'credit' as direction, p.invoice_id as id, p.amount::text as open, p.currency,
          p.payment_date as date, p.payment_date as due_date, p.customer_id as counterparty_id,
          p.customer_name as counterparty_name, p.number, p.payment_reference as reference,
          json_build_object('payment_id', p.id, 'days', json_build_array(p.payment_date)) as recorded
        from recorded_payments p, days
        where p.organization_id = ${organization_id} and p.currency = ${currency}
          and p.payment_date between days.first and days.last and p.amount in (select amount from asked)
        union all
        select 'refund', 'debit', r.id, r.amount::text, r.currency, r.refund_date, r.refund_date, r.customer_id,
          r.customer_name, r.number, r.payment_reference,
          json_build_object('payment_id', null, 'days', json_build_array(r.refund_date))
        from recorded_refunds r, days
        where r.organization_id = ${organization_id} and r.currency = ${currency}
          and r.refund_date between days.first and days.last and r.amount in (select amount from asked)
          and not exists (
            select from bank_matches m
            where m.organization_id = ${organization_id} and m.payment_refund_id = r.id and m.undone_at is null)
          and not exists (
            select from bank_matches m
            where m.organization_id = ${organization_id} and m.booked_refund_ids @> array[r.id]
              and m.booked_refund_ids <> '{}' and m.undone_at is null)
        union all
        select 'expense', case when e.amount < 0 then 'credit' else 'debit' end, e.id, abs(e.amount)::text, e.currency,
          e.expense_date, e.paid_on, c.id, e.vendor, null, e.reference,
          json_build_object('payment_id', null, 'days', json_build_array(e.paid_on, e.expense_date))
        from recorded_expenses e cross join days
          left join lateral (
            select min(c.id) as id from counterparties c
            where c.organization_id = e.organization_id and c.name = e.vendor and c.is_vendor) c on true
        where e.organization_id = ${organization_id} and e.currency = ${currency}
          and (e.paid_on between days.first and days.last or e.expense_date between days.first and days.last)
          and e.amount in (select amount from asked union all select -amount from asked)
        order by date desc, id desc limit ${candidates_max}) c`
    })

    const confirmed = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Confirmed,
      execute: (organization_id) => sql`
        select q.customer_id, e.vendor, m.expense_id, t.counterparty_name,
          concat_ws(' ', t.reference, t.remittance_text) as text
        from (
            select organization_id, bank_transaction_id, invoice_id, expense_id from bank_matches
            where organization_id = ${organization_id} and undone_at is null
            order by id desc limit ${confirmed_max}) m
          join bank_transactions t on t.organization_id = m.organization_id and t.id = m.bank_transaction_id
          left join quotable_invoices q on q.organization_id = m.organization_id and q.id = m.invoice_id
          left join quotable_expenses e on e.organization_id = m.organization_id and e.id = m.expense_id
        where q.id is not null or e.id is not null`
    })

    /**
     * Finds documents in any state by their full number or reference, and invoices also by their number without the
     * letters at its start.
     */
    const mentioned = Effect.fn("CandidatesRepo.mentioned")(function* (
      organization_id: OrganizationId,
      exact: ReadonlyArray<string>,
      endings: ReadonlyArray<string>
    ) {
      const whole = yield* Effect.forEach(
        chunksOf(exact),
        (page) => sql`
        select q.type, q.id, q.number, k.key
        from (select key, reverse(key) as tail from jsonb_array_elements_text(${JSON.stringify(page)}::jsonb) as key) k
          cross join lateral (
            select 'invoice' as type, id, number from quotable_invoices
            where organization_id = ${organization_id} and number_tail = k.tail
            union all
            select 'invoice', id, number from quotable_invoices
            where organization_id = ${organization_id} and payment_reference is not null and reference_tail = k.tail
            union all
            select 'expense', id, reference from quotable_expenses
            where organization_id = ${organization_id} and reference is not null and reference_tail = k.tail) q`
      )
      const ending = yield* Effect.forEach(
        chunksOf(endings),
        (page) => sql`
        select 'invoice' as type, q.id, q.number, k.key
        from (select key, reverse(key) as tail from jsonb_array_elements_text(${JSON.stringify(page)}::jsonb) as key) k
          join quotable_invoices q on q.organization_id = ${organization_id}
            and q.number_tail ~>=~ k.tail and q.number_tail ~<=~ (k.tail || 'ZZZZZZZZZZ')
            and substr(q.number_tail, length(k.tail) + 1) ~ '^[A-Z]*$'`
      )
      return yield* decodeMentioned([...whole.flat(), ...ending.flat()])
    }, Effect.orDie)

    // If a user undid a match, its line and its document do not belong together. Otherwise, the match says how much of
    // the line belongs to the document.
    const settled = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, transaction_ids: Schema.Array(BankTransactionId) }),
      Result: Schema.Struct({
        bank_transaction_id: BankTransactionId,
        invoice_id: Schema.NullOr(InvoiceId),
        expense_id: Schema.NullOr(ExpenseId),
        credit_note_id: Schema.NullOr(CreditNoteId),
        payment_refund_id: Schema.NullOr(RefundId)
      }),
      execute: ({ organization_id, transaction_ids }) => sql`
        select distinct bank_transaction_id, invoice_id, expense_id, credit_note_id, payment_refund_id
        from bank_matches
        where organization_id = ${organization_id} and ${sql.in("bank_transaction_id", transaction_ids)}
        limit ${settled_max}`
    })

    return {
      open: (organization_id: OrganizationId, currency: CurrencyCode, since: Day) =>
        open({ organization_id, currency, since }).pipe(
          Effect.map((rows) => rows.map(({ candidates }) => candidates)),
          Effect.orDie,
          Effect.withSpan("CandidatesRepo.open")
        ),
      recorded: (organization_id: OrganizationId, currency: CurrencyCode, query: RecordedQuery) =>
        recorded({ organization_id, currency, ...query }).pipe(
          Effect.map(({ candidates }) => candidates),
          Effect.orDie,
          Effect.withSpan("CandidatesRepo.recorded")
        ),
      mentioned,
      confirmed: Effect.fn("CandidatesRepo.confirmed")(
        confirmed,
        Effect.map((rows) =>
          rows.map((row): Confirmation => ({ party: partyKey(row), name: row.counterparty_name, text: row.text }))
        ),
        Effect.orDie
      ),
      ...traced("CandidatesRepo", { settled })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const chunksOf = (keys: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => Arr.chunksOf(keys, keys_max)
