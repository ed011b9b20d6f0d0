import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { BankAccountId, OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { latest_first } from "../records/LatestStatement.ts"

/** Maximum number of days in one report. A longer period must be requested in parts. */
export const days_max = 10_000

const Key = Schema.Struct({ organization_id: OrganizationId, id: BankAccountId })
const Until = Schema.Struct({ ...Key.fields, to: Day })
const Balance = Schema.Struct({ date: Day, balance: Amount })

const DayRow = Schema.Struct({
  date: Day,
  credits: Amount,
  debits: Amount,
  statement_balance: Schema.NullOr(Amount)
})

export class BalancesRepo extends Context.Service<BalancesRepo>()("invoicing/banking/accounts/BalancesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const sum = (comparison: "<" | "<=") => {
      const find = SqlSchema.findOne({
        Request: Schema.Struct({ ...Key.fields, day: Day }),
        Result: Schema.Struct({ sum: Amount }),
        execute: ({ day, id, organization_id }) => sql`
          select coalesce(sum(amount), 0) as sum from bank_transactions
          where organization_id = ${organization_id} and bank_account_id = ${id}
            and booking_date ${sql.literal(comparison)} ${day}::date`
      })
      return (request: typeof Key.Type & { readonly day: Day }) =>
        find(request).pipe(
          Effect.map(({ sum }) => sum),
          Effect.orDie
        )
    }

    // A bank may book a line with an earlier day than the lines of the statement before. So the earliest statement is
    // one that continues no other: none closed with its opening balance before. Lines of files whose statements continue
    // others are later than its opening balance, whatever their day is.
    const opening = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ ...Balance.fields, sum_before: Amount }),
      execute: ({ id, organization_id }) => sql`
        with stated as materialized (
          select s.* from bank_statements s
          where s.organization_id = ${organization_id} and s.bank_account_id = ${id} and s.first_day is not null
            and s.opening_balance is not null),
        continuing as materialized (
          select s.id, s.import_session_id from stated s where exists (
            select from bank_statements p
            where p.organization_id = ${organization_id} and p.bank_account_id = ${id} and p.id <> s.id
              and p.closing_balance = s.opening_balance and p.closing_date <= s.closing_date)),
        earliest as (select * from stated order by id in (select id from continuing), first_day, id limit 1)
        select first_day as date, opening_balance as balance, (
          select coalesce(sum(t.amount), 0) from bank_transactions t
          where t.organization_id = ${organization_id} and t.bank_account_id = ${id}
            and t.booking_date < earliest.first_day and not exists (
              select from continuing c where c.import_session_id = t.import_session_id)) as sum_before
        from earliest`
    })

    const firstDay = SqlSchema.findOne({
      Request: Key,
      Result: Schema.Struct({ day: Schema.NullOr(Day) }),
      execute: ({ id, organization_id }) => sql`
        select min(booking_date) as day from bank_transactions
        where organization_id = ${organization_id} and bank_account_id = ${id}`
    })

    /**
     * False for the closing balance of a CSV file that was exported during its last day: a later import has further
     * lines of this day. Other formats state the balance at the end of the day.
     */
    const isFinal = sql.literal(`not exists (
      select from bank_transactions t
      join bank_imports i on i.organization_id = t.organization_id and i.id = s.import_session_id
      where t.organization_id = s.organization_id and t.bank_account_id = s.bank_account_id
        and t.booking_date = s.closing_date and t.import_session_id > i.id and i.summary ->> 'format' = 'csv')`)

    const closing = SqlSchema.findOneOption({
      Request: Until,
      Result: Balance,
      execute: ({ id, organization_id, to }) => sql`
        select closing_date as date, closing_balance as balance from bank_statements s
        where organization_id = ${organization_id} and bank_account_id = ${id} and closing_date <= ${to}::date
          and closing_balance is not null and ${isFinal}
        order by ${sql.literal(latest_first)} limit 1`
    })

    const days = SqlSchema.findAll({
      Request: Schema.Struct({ ...Until.fields, from: Day }),
      Result: DayRow,
      execute: ({ from, id, organization_id, to }) => sql`
        with moved as (
          select booking_date as date, coalesce(sum(amount) filter (where amount > 0), 0) as credits,
            coalesce(sum(amount) filter (where amount < 0), 0) as debits
          from bank_transactions
          where organization_id = ${organization_id} and bank_account_id = ${id}
            and booking_date between ${from}::date and ${to}::date
          group by booking_date),
        told as (
          select distinct on (closing_date) closing_date as date, closing_balance from bank_statements s
          where organization_id = ${organization_id} and bank_account_id = ${id} and closing_balance is not null
            and closing_date between ${from}::date and ${to}::date and ${isFinal}
          order by ${sql.literal(latest_first)})
        select date, coalesce(credits, 0) as credits, coalesce(debits, 0) as debits, closing_balance as statement_balance
        from moved full join told using (date) order by date
        limit ${days_max + 1}`
    })

    return {
      ...traced("BalancesRepo", {
        /** The opening balance of the earliest statement that has one, the day of its first line, and the sum before. */
        opening,
        closing,
        days
      }),
      sumBefore: sum("<"),
      sumUntil: sum("<="),
      /** Day of the account's earliest line. */
      firstDay: Effect.fn("BalancesRepo.firstDay")(
        firstDay,
        Effect.map(({ day }) => day),
        Effect.orDie
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
