import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, ExpenseId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { inTurns } from "../Turns.ts"
import { Candidate } from "./Candidate.ts"

const decode = Schema.decodeUnknownEffect(Candidate)

/** Highest number of documents that are compared with lines; the youngest are preferred. */
const candidates_max = 20_000
const declined_max = 50_000

/** Reads an organization's documents that bank lines may settle from the views of billing and expenses. */
export class CandidatesRepo extends Context.Service<CandidatesRepo>()("invoicing/banking/matching/CandidatesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Reads the open documents; decoding thousands of them takes long, so it yields in between. */
    const open = Effect.fn("CandidatesRepo.open")(function* (
      organization_id: OrganizationId,
      currency: CurrencyCode,
      since: Day
    ) {
      const rows = yield* sql`
        select 'invoice' as type, r.id, r.open, r.total, r.currency, r.issue_date as date, r.due_date,
          r.customer_id as counterparty_id, r.customer_name as counterparty_name, r.number,
          r.payment_reference as reference,
          array(select i.iban from counterparty_ibans i
            where i.organization_id = r.organization_id and i.counterparty_id = r.customer_id) as ibans
        from receivables r
        where r.organization_id = ${organization_id} and r.currency = ${currency} and r.issue_date >= ${since}::date
        union all
        select 'expense', p.id, p.amount - claimed.amount, p.amount, p.currency, p.expense_date, p.expense_date,
          c.id, p.vendor, null, p.reference,
          array(select i.iban from counterparty_ibans i
            where i.organization_id = p.organization_id and i.counterparty_id = c.id)
        from payables p
          left join lateral (
            select min(c.id) as id from counterparties c
            where c.organization_id = p.organization_id and c.name = p.vendor and c.is_vendor) c on true
          cross join lateral (
            select coalesce(sum(m.amount), 0) as amount from bank_matches m
            where m.organization_id = p.organization_id and m.expense_id = p.id and m.undone_at is null) claimed
        where p.organization_id = ${organization_id} and p.currency = ${currency} and p.expense_date >= ${since}::date
          and p.amount > claimed.amount
        order by date desc, id desc limit ${candidates_max}`
      return yield* inTurns(rows, (row) => decode(row))
    }, Effect.orDie)

    // A match that a user undid says that the line and the document do not belong together.
    const declined = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, transaction_ids: Schema.Array(BankTransactionId) }),
      Result: Schema.Struct({
        bank_transaction_id: BankTransactionId,
        invoice_id: Schema.NullOr(InvoiceId),
        expense_id: Schema.NullOr(ExpenseId)
      }),
      execute: ({ organization_id, transaction_ids }) => sql`
        select distinct bank_transaction_id, invoice_id, expense_id from bank_matches
        where organization_id = ${organization_id} and undone_at is not null
          and ${sql.in("bank_transaction_id", transaction_ids)} limit ${declined_max}`
    })

    return {
      open,
      declined: Effect.fn("CandidatesRepo.declined")(declined, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
