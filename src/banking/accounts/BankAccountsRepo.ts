import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf } from "../../kernel/Envelope.ts"
import { BankAccountId, OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { CsvMapping } from "../csv/cells/CsvMapping.ts"
import { latest_first } from "../records/LatestStatement.ts"
import { TransactionStatus } from "../records/TransactionStatus.ts"
import { BankAccount, type BankAccountsQuery } from "./BankAccount.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: BankAccountId })

const ofLatestStatement = (column: "closing_balance" | "closing_date") => `(
  select s.${column} from bank_statements s where s.organization_id = a.organization_id and s.bank_account_id = a.id
    and s.closing_balance is not null
  order by ${latest_first} limit 1)`

const computed = {
  statement_balance: ofLatestStatement("closing_balance"),
  statement_balance_date: ofLatestStatement("closing_date"),
  unmatched_count: `(
    select count(*)::integer from bank_transactions t where t.organization_id = a.organization_id
      and t.bank_account_id = a.id and t.status in ('unmatched', 'suggested', 'partially_matched'))`
}

export class BankAccountsRepo extends Context.Service<BankAccountsRepo>()(
  "invoicing/banking/accounts/BankAccountsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql.literal(columnsOf("a", BankAccount.fields, computed))

      const select = (locking: "" | "for update") =>
        SqlSchema.findOneOption({
          Request: Key,
          Result: BankAccount,
          execute: ({ id, organization_id }) => sql`
            select ${columns} from bank_accounts a
            where a.organization_id = ${organization_id} and a.id = ${id} ${sql.literal(locking)}`
        })

      const pages = pagesOf(BankAccount.fields)

      const list = Effect.fn("BankAccountsRepo.list")(function* (
        organization_id: OrganizationId,
        query: BankAccountsQuery
      ) {
        const own = sql`a.organization_id = ${organization_id}`
        const where = query.status === undefined ? own : sql`${own} and a.status = ${query.status}`
        return yield* pages(
          query,
          (query) => sql<Listed>`
          select ${columns}, (select count(*)::integer from bank_accounts a where ${where}) as list_total
          from bank_accounts a where ${where}
          order by a.id desc limit ${limitOf(query)} offset ${offsetOf(query)}`
        )
      }, Effect.orDie)

      const tally = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, from: Day, to: Day }),
        Result: Schema.Struct({ status: TransactionStatus, count: Schema.Int, sum: Amount, rest: Amount }),
        execute: ({ from, id, organization_id, to }) => sql`
          select status, count(*)::integer as count, sum(amount) as sum,
            sum(sign(amount) * (abs(amount) - matched_amount)) as rest
          from bank_transactions
          where organization_id = ${organization_id} and bank_account_id = ${id}
            and booking_date between ${from}::date and ${to}::date
          group by status order by status`
      })

      /** Inserts an account. Returns none if another active account has the same number and currency. */
      const insert = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organization_id: OrganizationId,
          ...Struct.pick(BankAccount.fields, ["name", "iban", "account_number", "bank_code", "bic", "currency"])
        }),
        Result: BankAccount,
        execute: (row) => sql`
          with a as (
            insert into bank_accounts ${sql.insert(row)}
            on conflict do nothing returning *)
          select ${columns} from a`
      })

      const archive = SqlSchema.void({
        Request: Key,
        execute: ({ id, organization_id }) => sql`
          update bank_accounts set status = 'archived', updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      const reopen = SqlSchema.void({
        Request: Key,
        execute: ({ id, organization_id }) => sql`
          update bank_accounts set status = 'active', updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      const setOpeningBalance = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, balance: Schema.String, date: Day }),
        execute: ({ balance, date, id, organization_id }) => sql`
          update bank_accounts set opening_balance = ${balance}::numeric, opening_balance_date = ${date}::date,
            updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      const setProviderBalance = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, balance: Schema.String, at: Timestamp }),
        execute: ({ at, balance, id, organization_id }) => sql`
          update bank_accounts set provider_balance = ${balance}::numeric, provider_balance_at = ${at}, updated_at = now(),
            version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      const setNumber = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, ...Struct.pick(BankAccount.fields, ["iban", "account_number"]) }),
        execute: ({ account_number, iban, id, organization_id }) => sql`
          update bank_accounts set iban = ${iban}, account_number = ${account_number}, is_named_by_import = true,
            updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      const setMapping = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, mapping: Schema.fromJsonString(CsvMapping) }),
        execute: ({ id, mapping, organization_id }) => sql`
          update bank_accounts set csv_mapping = ${mapping}::jsonb, updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${id}`
      })

      return {
        ...traced("BankAccountsRepo", {
          setMapping,
          find: select(""),
          lock: select("for update"),
          insert,
          archive,
          setOpeningBalance,
          setProviderBalance,
          tally
        }),
        /** Stores the IBAN or other number. False if it is taken; the transaction must then roll back. */
        setNumber: Effect.fn("BankAccountsRepo.setNumber")(setNumber, unlessTaken),
        list,
        /** Makes an archived account active. False if its number is taken; the transaction must then roll back. */
        reopen: Effect.fn("BankAccountsRepo.reopen")(reopen, unlessTaken)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Returns false if another active account of the organization has the same number and currency. */
const unlessTaken = <E>(update: Effect.Effect<void, E>): Effect.Effect<boolean> =>
  update.pipe(
    Effect.as(true),
    Effect.catchIf(isTaken, () => Effect.succeed(false)),
    Effect.orDie
  )

const isTaken = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"
