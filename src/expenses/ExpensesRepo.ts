import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { ExpenseId, InvoiceId, OrganizationId, UserId } from "../kernel/Ids.ts"
import { searchPattern, searchText } from "../kernel/SearchText.ts"
import type { Entry } from "../platform/events/AuditLog.ts"
import { auditedTable } from "../platform/events/AuditedTable.ts"
import { conditionsOf } from "../platform/sql/statements/Filters.ts"
import { deletableListingOf, deletedFilter } from "../platform/sql/statements/Listing.ts"
import { nextIdOf } from "../platform/sql/statements/NextId.ts"
import type { Listed } from "../platform/sql/statements/Page.ts"
import { talliedList } from "../platform/tallies/TalliedList.ts"
import { ExpenseFacts, type ExpensesQuery, expensesSorting } from "./Expense.ts"
import { traced } from "../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: ExpenseId })
type Key = typeof Key.Type

const Written = Schema.Struct({ ...ExpenseFacts.fields, created_by: Schema.NullOr(UserId) })

const Row = Schema.Struct({ ...ExpenseFacts.fields, search: Schema.String })

/** Builds the search text. Its first line contains only the vendor, because the vendor filter searches that line. */
const searchable = (facts: ExpenseFacts): typeof Row.Type => ({
  ...facts,
  search: searchText([facts.vendor ?? "", facts.description, facts.reference])
})

/** True if the query has only filters for which the database stores counts of expenses. */
const isTallied = ({ billed, external_id, is_billable, reconciled, search, vendor }: ExpensesQuery) =>
  [billed, external_id, is_billable, reconciled, search, vendor].every((filter) => filter === undefined)

export class ExpensesRepo extends Context.Service<ExpensesRepo>()("invoicing/expenses/ExpensesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { change, hold, insert, remove, save } = yield* auditedTable("expenses", Row)
    const columns = sql.literal(Struct.keys(ExpenseFacts.fields).join(", "))

    const select = (locking: "" | "for update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: Written,
        execute: ({ id, organization_id }) => sql`
          select ${columns}, created_by from expenses
          where organization_id = ${organization_id} and id = ${id} and deleted_at is null ${sql.literal(locking)}`
      })

    const some = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId, ids: Schema.Array(ExpenseId) }),
      Result: ExpenseFacts,
      execute: ({ ids, organization_id }) => sql`
        select ${columns} from expenses
        where organization_id = ${organization_id} and ${sql.in("id", ids)} and deleted_at is null order by id`
    })

    /** Locks the expenses that the invoices bill or are linked to, and those with the ids. */
    const holdNaming = SqlSchema.findAll({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        invoice_ids: Schema.Array(InvoiceId),
        ids: Schema.Array(ExpenseId)
      }),
      Result: Schema.Struct(Struct.pick(ExpenseFacts.fields, ["id", "version"])),
      execute: ({ ids, invoice_ids, organization_id }) => sql`
        select id, version from expenses
        where organization_id = ${organization_id} and (${sql.in("id", ids)}
          or ${sql.in("billed_invoice_id", invoice_ids)} or ${sql.in("linked_invoice_id", invoice_ids)})
        order by id for update`
    })

    /** Finds another expense for the same purchase on the same receipt. */
    const findTwin = SqlSchema.findOneOption({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        ...Struct.pick(ExpenseFacts.fields, ["id", "receipt_path", "expense_date", "amount", "currency", "reference"])
      }),
      Result: Schema.Struct({ id: ExpenseId }),
      execute: ({ amount, currency, expense_date, id, organization_id, receipt_path, reference }) => sql`
        select id from expenses
        where organization_id = ${organization_id} and receipt_path = ${receipt_path} and deleted_at is null
          and id <> ${id} and expense_date = ${expense_date}::date and amount = ${amount}::numeric
          and currency = ${currency} and reference is not distinct from ${reference}::text
        order by id limit 1`
    })

    const conditions = (query: ExpensesQuery) => {
      const filters = { ...query, search: searchPattern(query.search), vendor: searchPattern(query.vendor) }
      return [
        deletedFilter(sql, query),
        ...conditionsOf(filters, {
          external_id: (id) => sql`external_id = ${id}`,
          status: (status) => sql`status = ${status}`,
          category: (category) => sql`category = ${category}`,
          date_from: (day) => sql`expense_date >= ${day}::date`,
          date_to: (day) => sql`expense_date <= ${day}::date`,
          is_billable: (is_billable) => sql`is_billable = ${is_billable}`,
          billed: (billed) => sql`(billed_invoice_id is not null) = ${billed}`,
          reconciled: (reconciled) => sql`(bank_transaction_id is not null) = ${reconciled}`,
          search: (pattern) => sql`search like ${pattern}`,
          // The index finds the vendor's name anywhere in the search text. Only the first line of this text is the
          // vendor, so it decides if the row matches.
          vendor: (pattern) => sql`search like ${pattern} and split_part(search, chr(10), 1) like ${pattern}`
        })
      ]
    }

    const listing = deletableListingOf(ExpenseFacts.fields)
    const statementOf = talliedList(sql, {
      table: "expenses",
      alias: "e",
      day: "expense_date",
      columns,
      sorting: expensesSorting
    })

    const list = Effect.fn("ExpensesRepo.list")(function* (organization_id: OrganizationId, query: ExpensesQuery) {
      const { category: kind, date_from, date_to, status: state } = query
      const filters = isTallied(query) ? { kind, state, date_from, date_to } : undefined
      const asked = { organization_id, conditions: conditions(query), filters }
      return yield* listing(query, (query) => sql<Listed>`${statementOf(query, asked)}`)
    }, Effect.orDie)

    return {
      ...traced("ExpensesRepo", { find: select(""), lock: select("for update"), some, holdNaming, findTwin }),
      nextId: nextIdOf(sql, "expenses", ExpenseId),
      insert: (organization_id: OrganizationId, facts: ExpenseFacts, created_by: UserId | null, entry: Entry) =>
        insert(organization_id, searchable(facts), created_by, entry),
      save: (organization_id: OrganizationId, facts: ExpenseFacts, entry: Entry) =>
        save(organization_id, searchable(facts), entry),
      change: (organization_id: OrganizationId, facts: ExpenseFacts, entry: Entry) =>
        change(organization_id, searchable(facts), entry),
      remove,
      hold,
      list
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
