import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { BankTransactionId, OrganizationId } from "../../kernel/Ids.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { deletableListingOf, sortedBy } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { talliedList } from "../../platform/tallies/TalliedList.ts"
import { BankTransaction, type BankTransactionsQuery, bankTransactionsSorting } from "./BankTransaction.ts"
import { MatchPart } from "./MatchFacts.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: BankTransactionId })

export class BankTransactionsRepo extends Context.Service<BankTransactionsRepo>()(
  "invoicing/banking/transactions/BankTransactionsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const match = Struct.keys(MatchPart.fields)
        .map((name) => `'${name}', ${name === "amount" ? "m.amount::text" : `m.${name}`}`)
        .join(", ")
      const matches = `
        (select coalesce(json_agg(json_build_object(${match}) order by m.id), '[]') from bank_matches m
          where m.organization_id = t.organization_id and m.bank_transaction_id = t.id and m.undone_at is null)`
      const remaining_amount = "abs(t.amount) - t.matched_amount"
      const columns = sql.literal(columnsOf("t", BankTransaction.fields, { matches, remaining_amount }))

      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: BankTransaction,
        execute: ({ id, organization_id }) => sql`
          select ${columns} from bank_transactions t where organization_id = ${organization_id} and id = ${id}`
      })

      const hold = SqlSchema.void({
        Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(BankTransactionId) }),
        execute: ({ ids, organization_id }) => sql`
          select id from bank_transactions
          where organization_id = ${organization_id} and ${sql.in("id", ids)} order by id for update`
      })

      const some = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(BankTransactionId) }),
        Result: BankTransaction,
        execute: ({ ids, organization_id }) => sql`
          select ${columns} from bank_transactions t
          where organization_id = ${organization_id} and ${sql.in("id", ids)}`
      })

      const listing = deletableListingOf(BankTransaction.fields)
      const statementOf = talliedList(sql, {
        table: "bank_transactions",
        alias: "t",
        day: "booking_date",
        columns,
        sorting: bankTransactionsSorting
      })

      const termsOf = sortedBy(sql, bankTransactionsSorting, (column) => column)

      const deletionsOf = (query: BankTransactionsQuery, conditions: ReadonlyArray<Fragment>) => {
        const { facts, limited, matching, sorted, where } = termsOf(query, conditions)
        const count = sql`select count(*)::integer from deleted_bank_transactions where ${matching}`
        return sql<Listed>`
          select id, ${facts(count)} from deleted_bank_transactions where ${where} ${sorted} ${limited}`
      }

      const list = Effect.fn("BankTransactionsRepo.list")(function* (
        organization_id: OrganizationId,
        query: BankTransactionsQuery
      ) {
        const { bank_account_id, date_from, date_to, status } = query
        const conditions = [
          ...(bank_account_id === undefined ? [] : [sql`bank_account_id = ${bank_account_id}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          ...(date_from === undefined ? [] : [sql`booking_date >= ${date_from}::date`]),
          ...(date_to === undefined ? [] : [sql`booking_date <= ${date_to}::date`])
        ]
        const filters = { kind: bank_account_id, state: status, date_from, date_to }
        const asked = { organization_id, conditions, filters }
        return yield* listing(query, (query) =>
          query.deleted === true
            ? deletionsOf(query, [sql`organization_id = ${organization_id}`, ...conditions])
            : sql<Listed>`${statementOf(query, asked)}`
        )
      }, Effect.orDie)

      return {
        ...traced("BankTransactionsRepo", {
          find,
          /** Locks lines in the order of their ids, so that two requests for the same lines cannot deadlock. */
          hold,
          some
        }),
        list
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
