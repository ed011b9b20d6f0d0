import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import {
  BankMatchId,
  BankTransactionId,
  CreditNoteId,
  ExpenseId,
  OrganizationId,
  RefundId,
  type UserId
} from "../../../kernel/Ids.ts"
import { Amount } from "../../../kernel/Money.ts"
import type { BankTransaction } from "../../transactions/BankTransaction.ts"
import { MatchFacts } from "../../transactions/MatchFacts.ts"
import { bigints } from "../../../platform/sql/statements/Columns.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const Transaction = Schema.Struct({ organization_id: OrganizationId, bank_transaction_id: BankTransactionId })

export class MatchesRepo extends Context.Service<MatchesRepo>()(
  "invoicing/banking/reconciliation/matches/MatchesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const columns = sql.literal(Struct.keys(MatchFacts.fields).join(", "))

      const active = SqlSchema.findAll({
        Request: Transaction,
        Result: MatchFacts,
        execute: ({ bank_transaction_id, organization_id }) => sql`
        select ${columns} from bank_matches
        where organization_id = ${organization_id} and bank_transaction_id = ${bank_transaction_id}
          and undone_at is null
        order by id`
      })

      const findOperation = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Transaction.fields, operation: Schema.String }),
        Result: MatchFacts,
        execute: ({ bank_transaction_id, operation, organization_id }) => sql`
        select ${columns} from bank_matches
        where organization_id = ${organization_id} and bank_transaction_id = ${bank_transaction_id}
          and operation = ${operation}`
      })

      const claimed = SqlSchema.findOne({
        Request: Schema.Struct({ organization_id: OrganizationId, expense_id: ExpenseId }),
        Result: Schema.Struct({
          amount: Amount,
          bank_transaction_id: Schema.NullOr(BankTransactionId),
          ...Struct.pick(MatchFacts.fields, ["expense_status", "expense_payment_method"])
        }),
        execute: ({ expense_id, organization_id }) => sql`
        select coalesce(sum(abs(amount)), 0) as amount,
          (array_agg(bank_transaction_id order by id desc))[1] as bank_transaction_id,
          (array_agg(expense_status order by id desc))[1] as expense_status,
          (array_agg(expense_payment_method order by id desc))[1] as expense_payment_method
        from bank_matches
        where organization_id = ${organization_id} and expense_id = ${expense_id} and undone_at is null`
      })

      const claimedRefund = SqlSchema.findOne({
        Request: Schema.Struct({ organization_id: OrganizationId, id: RefundId }),
        Result: Schema.Struct({ amount: Amount, is_booked: Schema.Boolean }),
        execute: ({ id, organization_id }) => sql`
        select coalesce(sum(abs(amount)) filter (where payment_refund_id = ${id}), 0) as amount,
          coalesce(bool_or(booked_refund_ids @> array[${id}::bigint]), false) as is_booked
        from bank_matches
        where organization_id = ${organization_id} and undone_at is null
          and (payment_refund_id = ${id} or booked_refund_ids @> array[${id}::bigint])`
      })

      const linesOfRefund = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, id: RefundId }),
        Result: Schema.Struct({ bank_transaction_id: BankTransactionId }),
        execute: ({ id, organization_id }) => sql`
        select distinct bank_transaction_id from bank_matches
        where organization_id = ${organization_id} and undone_at is null
          and (payment_refund_id = ${id} or booked_refund_ids @> array[${id}::bigint])
        order by bank_transaction_id`
      })

      const claimedNote = SqlSchema.findOne({
        Request: Schema.Struct({ organization_id: OrganizationId, id: CreditNoteId }),
        Result: Schema.Struct({ amount: Amount }),
        execute: ({ id, organization_id }) => sql`
        select coalesce(sum(abs(amount)), 0) as amount from bank_matches
        where organization_id = ${organization_id} and credit_note_id = ${id} and undone_at is null`
      })

      const declined = SqlSchema.findOne({
        Request: Transaction,
        Result: Schema.Struct({ is_declined: Schema.Boolean }),
        execute: ({ bank_transaction_id, organization_id }) => sql`
        select exists (
          select from bank_matches
          where organization_id = ${organization_id} and bank_transaction_id = ${bank_transaction_id}
            and undone_at is not null and created_money_record) as is_declined`
      })

      const insert = Effect.fn("MatchesRepo.insert")(function* (
        organization_id: OrganizationId,
        match: Omit<MatchFacts, "id">,
        created_by: UserId | null,
        operation: string | null
      ) {
        const { amount, booked_refund_ids, exclude, explanation, ...rest } = match
        const row = {
          ...rest,
          organization_id,
          created_by,
          operation,
          amount: BigDecimal.format(amount),
          booked_refund_ids: bigints(booked_refund_ids),
          exclude: exclude === null ? null : sql.json(exclude),
          explanation: sql.json(explanation)
        }
        const rows = yield* sql`insert into bank_matches ${sql.insert(row)} returning id`
        return yield* decodeId(rows)
      }, Effect.orDie)
      const decodeRows = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ id: BankMatchId })))
      const decodeId = (rows: unknown) => Effect.map(decodeRows(rows), ([{ id }]) => id)

      const undo = SqlSchema.void({
        Request: Schema.Struct({ organization_id: OrganizationId, id: BankMatchId }),
        execute: ({ id, organization_id }) => sql`
        update bank_matches set undone_at = now()
        where organization_id = ${organization_id} and id = ${id} and undone_at is null`
      })

      /** False when the version has changed since the line was read, because another request was faster. */
      const move = Effect.fn("MatchesRepo.move")(function* (organization_id: OrganizationId, line: BankTransaction) {
        const rows = yield* sql`
        update bank_transactions set status = ${line.status}, matched_amount = ${BigDecimal.format(line.matched_amount)},
          invoice_id = ${line.invoice_id}, expense_id = ${line.expense_id},
          suggestion = case when ${line.suggestion !== null} then suggestion end,
          updated_at = ${line.updated_at}, version = ${line.version}
        where organization_id = ${organization_id} and id = ${line.id} and version = ${line.version - 1}
        returning id`
        return rows.length === 1
      }, Effect.orDie)

      return {
        ...traced("MatchesRepo", {
          active,
          /** Finds the match that an earlier attempt of the same request made, even if it was undone since. */
          findOperation,
          /**
           * Returns how much of an expense the active matches pay, and of the latest match its line and the state of the
           * expense before it.
           */
          claimed,
          /** Returns how much of a refund is matched with lines, and whether a match of a credit note booked the refund. */
          claimedRefund,
          /** Returns the lines whose target is the refund, or whose match booked it. */
          linesOfRefund,
          claimedNote,
          /** Tells whether a user has undone a match of the line with a document that was created for it. */
          declined,
          undo
        }),
        insert,
        move
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
