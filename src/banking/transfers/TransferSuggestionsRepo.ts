import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { BankAccountId, type BankImportId, BankTransactionId, type OrganizationId } from "../../kernel/Ids.ts"
import { DocumentType } from "../matching/StoredSuggestion.ts"

/** An open line, and its only possible partner in a transfer between two accounts of the organization. */
const TransferSide = Schema.Struct({
  id: BankTransactionId,
  other_id: BankTransactionId,
  bank_account_id: BankAccountId,
  counterparty_iban: Schema.NullOr(Schema.String),
  /** The number of the account that the line belongs to. */
  iban: Schema.NullOr(Schema.String),
  currency: Schema.String,
  /** The type of the line's suggestion; `none` without one. */
  type: Schema.String,
  /** True if the line comes from the import for which transfers are suggested. */
  is_new: Schema.Boolean
})
export type TransferSide = typeof TransferSide.Type

const transfer_days_max = 5

/** The types of suggestions that a transfer may replace; a line without one has the type `none`. */
const replaced_types = ["none", ...DocumentType.literals]

export class TransferSuggestionsRepo extends Context.Service<TransferSuggestionsRepo>()(
  "invoicing/banking/transfers/TransferSuggestionsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const days = sql.literal(`interval '${transfer_days_max} days'`)

      /**
       * Waits until no other transaction suggests transfers in the organization. Otherwise two imports at the same time
       * would not see each other's lines, and nothing would suggest a transfer between them later.
       */
      const lock = Effect.fn("TransferSuggestionsRepo.lock")(function* (organization_id: OrganizationId) {
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`transfers:${organization_id}`}, 0))`
      }, Effect.orDie)

      const decodeSides = Schema.decodeUnknownEffect(Schema.Array(TransferSide))

      /**
       * Finds the open lines, in the period of an import, with exactly one possible partner: an open line of another
       * account of the organization with the opposite amount, within a few days. A line that states somebody else's
       * account number is skipped. Window functions count the partners, because a join takes too long if many lines
       * have the same amount.
       *
       * Between two currencies, amounts cannot be compared: each line must state the account number of the other line,
       * and there may be only one such pair within these days.
       */
      const sides = Effect.fn("TransferSuggestionsRepo.sides")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        import_session_id: BankImportId
      ) {
        const rows = yield* sql`
          with period as (
            select min(booking_date) - ${transfer_days_max}::integer as first,
              max(booking_date) + ${transfer_days_max}::integer as last
            from bank_transactions
            where organization_id = ${organization_id} and import_session_id = ${import_session_id}
            having exists (
              select from bank_accounts a
              join bank_transactions t on t.organization_id = a.organization_id and t.bank_account_id = a.id
              where a.organization_id = ${organization_id} and a.id <> ${bank_account_id}
                and t.status in ('unmatched', 'suggested'))),
          counted as (
            select t.id, t.bank_account_id, t.import_session_id, t.counterparty_iban, a.iban, t.currency, t.amount,
              coalesce(t.suggestion ->> 'type', 'none') as type,
              count(*) filter (where amount > 0) over near - count(*) filter (where amount > 0) over own as credits,
              count(*) filter (where amount < 0) over near - count(*) filter (where amount < 0) over own as debits,
              sum(t.id) filter (where amount > 0) over near
                - coalesce(sum(t.id) filter (where amount > 0) over own, 0) as credit_id,
              sum(t.id) filter (where amount < 0) over near
                - coalesce(sum(t.id) filter (where amount < 0) over own, 0) as debit_id
            from period, bank_transactions t
            join bank_accounts a on a.organization_id = t.organization_id and a.id = t.bank_account_id
            cross join lateral (
              select bool_or(own.currency = t.currency) as has_currency from bank_accounts own
              where own.organization_id = t.organization_id and own.iban = t.counterparty_iban
                and own.id <> t.bank_account_id) named
            cross join lateral (
              select case when named.has_currency or t.counterparty_iban is null
                then array[t.currency::text, abs(t.amount)::text]
                else array[least(a.iban, t.counterparty_iban), greatest(a.iban, t.counterparty_iban)] end as common) pair
            where t.organization_id = ${organization_id} and t.status in ('unmatched', 'suggested')
              and t.booking_date between period.first and period.last
              and (t.counterparty_iban is null or named.has_currency is not null)
            window
              near as (partition by pair.common order by t.booking_date
                range between ${days} preceding and ${days} following),
              own as (partition by pair.common, t.bank_account_id order by t.booking_date
                range between ${days} preceding and ${days} following)),
          sides as (
            select *, (case when amount < 0 then credit_id else debit_id end)::bigint as other_id from counted
            where case when amount < 0 then credits else debits end = 1 and ${sql.in("type", replaced_types)})
          select id, other_id, bank_account_id, counterparty_iban, iban, currency, type,
            import_session_id = ${import_session_id} as is_new
          from sides where not exists (
            select from bank_matches m
            where m.organization_id = ${organization_id} and m.undone_at is not null
              and m.bank_transaction_id = sides.id and m.transfer_transaction_id = sides.other_id)`
        return yield* decodeSides(rows)
      }, Effect.orDie)

      /** Stores suggestions with lines that are still open; a line that another request has locked is skipped. */
      const suggest = Effect.fn("TransferSuggestionsRepo.suggest")(function* (
        organization_id: OrganizationId,
        suggestions: ReadonlyArray<{ readonly id: BankTransactionId; readonly suggestion: object }>
      ) {
        yield* sql`
          with held as (
            select t.id, r.suggestion
            from jsonb_to_recordset(${sql.json(suggestions)}) as r (id bigint, suggestion jsonb)
            join bank_transactions t on t.organization_id = ${organization_id} and t.id = r.id
            where t.status in ('unmatched', 'suggested')
            order by t.id for update of t skip locked)
          update bank_transactions t
          set suggestion = held.suggestion, status = 'suggested', updated_at = now(), version = t.version + 1
          from held where t.organization_id = ${organization_id} and t.id = held.id`
      }, Effect.orDie)

      return { lock, sides, suggest }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
