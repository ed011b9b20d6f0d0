import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { BankAccountId, BankImportId, OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { traced } from "../../platform/sql/Traced.ts"
import type { Statement } from "./Statement.ts"
import { latest_first } from "./LatestStatement.ts"
import { Opening } from "./StatementGaps.ts"

const Account = Schema.Struct({ organization_id: OrganizationId, bank_account_id: BankAccountId })
const Import = Schema.Struct({ ...Account.fields, import_id: BankImportId })

interface Balances extends Pick<Statement, "opening" | "closing"> {
  readonly first_day: Day | null
}

/** Maximum number of earlier statements from which stored lines may lead to an opening balance. */
const earlier_max = 10

/** Stores the balances of imported statements. */
export class BankStatementsRepo extends Context.Service<BankStatementsRepo>()(
  "invoicing/banking/records/BankStatementsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /**
       * Returns the closing balance before a statement, in the file or stored, if it differs from the statement's opening
       * balance. A statement that is known, or that starts with a known one, has none. The statements of a day may be
       * imported in any order, so a statement has none either if it opens with the last closing balance before its day, or
       * with one of its day. Nor has a statement that overlaps with earlier ones, if the stored lines lead from the opening
       * balance of an earlier one to its own.
       */
      const gapBefore = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Account.fields, ...Opening.fields }),
        Result: Schema.Struct({ date: Day, balance: Amount }),
        execute: ({ bank_account_id, before, opening, organization_id }) => {
          const amount = BigDecimal.format(opening.amount)
          const in_file = before === null ? null : BigDecimal.format(before.amount)
          const closingBefore = (comparison: "<" | "<=") => sql`
            select s.closing_date, s.closing_balance from bank_statements s
            where s.organization_id = ${organization_id} and s.bank_account_id = ${bank_account_id}
              and s.closing_date ${sql.literal(comparison)} ${opening.date}::date and s.closing_balance is not null
            order by ${sql.literal(latest_first)} limit 1`
          return sql`
            with known as (
              (${closingBefore("<=")}) union all (${closingBefore("<")})
              union all (select ${before?.date ?? null}::date, ${in_file}::numeric where ${before !== null})),
            last as (
              select * from known order by closing_date desc, closing_balance = ${amount}::numeric desc limit 1),
            last_before_day as (
              select * from known where closing_date < ${opening.date}::date
              order by closing_date desc, closing_balance = ${amount}::numeric desc limit 1),
            earlier as (
              select first_day, opening_balance from bank_statements
              where organization_id = ${organization_id} and bank_account_id = ${bank_account_id}
                and first_day <= ${opening.date}::date and opening_balance is not null
              order by first_day desc, id desc limit ${earlier_max})
            select closing_date as date, closing_balance as balance from last
            where closing_balance <> ${amount}::numeric
              and not exists (select 1 from last_before_day where closing_balance = ${amount}::numeric)
              and not exists (
                select 1 from bank_statements s
                where s.organization_id = ${organization_id} and s.bank_account_id = ${bank_account_id}
                  and (s.first_day >= last.closing_date and s.opening_balance = ${amount}::numeric
                    or s.closing_date = ${opening.date}::date and s.closing_balance = ${amount}::numeric))
              and not exists (
                select 1 from earlier
                where opening_balance + (
                  select coalesce(sum(t.amount), 0) from bank_transactions t
                  where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
                    and t.booking_date >= first_day and t.booking_date < ${opening.date}::date) = ${amount}::numeric)`
        }
      })

      const insert = Effect.fn("BankStatementsRepo.insert")(function* (
        { bank_account_id, import_id, organization_id }: typeof Import.Type,
        statements: ReadonlyArray<Balances>
      ) {
        const rows = statements.flatMap(({ closing, first_day, opening }) => {
          if (opening === null && closing === null) return []
          return [
            {
              first_day: first_day ?? opening?.date ?? null,
              opening_balance: opening === null ? null : BigDecimal.format(opening.amount),
              closing_date: closing?.date ?? null,
              closing_balance: closing === null ? null : BigDecimal.format(closing.amount)
            }
          ]
        })
        yield* sql`
          insert into bank_statements (organization_id, bank_account_id, import_session_id, first_day, opening_balance,
            closing_date, closing_balance)
          select ${organization_id}, ${bank_account_id}, ${import_id}, r.*
          from jsonb_to_recordset(${sql.json(rows)})
            as r (first_day date, opening_balance numeric, closing_date date, closing_balance numeric)`
      }, Effect.orDie)

      return {
        ...traced("BankStatementsRepo", { gapBefore }),
        insert
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
