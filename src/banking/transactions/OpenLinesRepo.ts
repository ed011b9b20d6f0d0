import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { compiled } from "../../kernel/Compiled.ts"
import { BankAccountId, BankTransactionId, type OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { StoredSuggestion } from "../matching/StoredSuggestion.ts"
import { StatementLine } from "../records/Statement.ts"
import { inTurns, thenResting } from "../Turns.ts"

const content = {
  ...Struct.pick(StatementLine.fields, [
    "booking_date",
    "currency",
    "counterparty_name",
    "counterparty_iban",
    "remittance_text",
    "reference"
  ]),
  id: BankTransactionId,
  bank_account_id: BankAccountId
}

const facts = { ...content, version: Schema.Int, suggestion: Schema.NullOr(StoredSuggestion) }

const OpenLine = Schema.Struct({
  ...facts,
  /** The unmatched part of the amount; negative for a debit. */
  amount: Amount,
  /** True if a part of the line is matched. */
  is_partial: Schema.Boolean,
  /** True for a suggested transfer whose other line is open and suggests this one. */
  is_mutual: Schema.Boolean,
  /** True if the line has matches, some of which a user may have undone. */
  has_matches: Schema.Boolean,
  has_declined_rule: Schema.Boolean,
  has_declined_fee: Schema.Boolean
})
export type OpenLine = typeof OpenLine.Type

const decode = Schema.decodeUnknownEffect(compiled(OpenLine))
const decodeWhole = Schema.decodeUnknownEffect(compiled(Schema.Struct({ ...content, amount: Amount })))

/** Maximum number of lines that are read; the latest are preferred. */
const lines_max = 5_000

/** Reads the latest lines that are not wholly matched, for the refresh of suggestions and the dry run of a rule. */
export class OpenLinesRepo extends Context.Service<OpenLinesRepo>()("invoicing/banking/transactions/OpenLinesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const columns = sql.literal(Struct.keys(facts).join(", t."))
    const whole_columns = sql.literal(Struct.keys(content).join(", "))

    /** Decodes the lines with pauses for other requests. */
    const latest = Effect.fn("OpenLinesRepo.latest")(function* (organization_id: OrganizationId) {
      const rows = yield* thenResting(sql`
        select t.${columns}, sign(t.amount) * (abs(t.amount) - t.matched_amount) as amount,
          t.status = 'partially_matched' as is_partial, earlier.*,
          case t.suggestion ->> 'type' when 'transfer' then exists (
            select from bank_transactions o
            where o.organization_id = ${organization_id} and o.id = (t.suggestion ->> 'id')::bigint
              and o.status = 'suggested' and o.suggestion ->> 'type' = 'transfer'
              and (o.suggestion ->> 'id')::bigint = t.id) else false end as is_mutual
        from (
            select * from bank_transactions
            where organization_id = ${organization_id} and status in ('unmatched', 'suggested', 'partially_matched')
            order by booking_date desc, id desc limit ${lines_max}) t
          cross join lateral (
            select count(*) > 0 as has_matches,
              coalesce(bool_or(undone_at is not null and created_money_record), false) as has_declined_rule,
              coalesce(bool_or(undone_at is not null and exclude ->> 'reason' = 'fee'), false) as has_declined_fee
            from bank_matches m
            where m.organization_id = ${organization_id} and m.bank_transaction_id = t.id) earlier
        order by t.booking_date desc, t.id desc`)
      return yield* inTurns(rows, (row) => decode(row))
    }, Effect.orDie)

    /** Reads lines of which nothing is matched, without their suggestions and earlier matches. */
    const latestWhole = Effect.fn("OpenLinesRepo.latestWhole")(function* (organization_id: OrganizationId) {
      const rows = yield* thenResting(sql`
        select ${whole_columns}, amount from bank_transactions
        where organization_id = ${organization_id} and status in ('unmatched', 'suggested')
        order by booking_date desc, id desc limit ${lines_max}`)
      return yield* inTurns(rows, (row) => decodeWhole(row))
    }, Effect.orDie)

    return { latest, latestWhole }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
