import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import type { Day } from "../../kernel/Calendar.ts"
import { OrganizationId, QuoteId, UserId } from "../../kernel/Ids.ts"
import { auditedTable } from "../../platform/events/AuditedTable.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { customerOn } from "../correspondence/CustomerName.ts"
import { documentSearch, searchedList } from "../search/DocumentSearchRepo.ts"
import { QuoteFacts, type QuotesQuery, quotesSorting, type QuoteStatus, QuoteSummaryFacts } from "./Quote.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: QuoteId })
type Key = typeof Key.Type

const Row = Schema.Struct(Struct.omit(QuoteFacts.fields, ["customer"]))
const ConvertedRow = Schema.Struct({ ...Row.fields, converted_from: QuoteFacts.fields.status })

const searched_codes = ["number", "details ->> 'purchase_order'"]

export class QuotesRepo extends Context.Service<QuotesRepo>()("invoicing/billing/quotes/QuotesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { change, hold, insert, remove, save } = yield* auditedTable("quotes", Row)
    const { save: convert } = yield* auditedTable("quotes", ConvertedRow)

    const computed = { customer: customerOn("quote", "q") }
    const columns = sql.literal(columnsOf("q", QuoteFacts.fields, computed))
    const summaryColumns = sql.literal(columnsOf("q", QuoteSummaryFacts.fields, computed))
    const source = sql.literal(
      `quotes q join debtors d on d.organization_id = q.organization_id and d.id = q.customer_id`
    )

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ ...QuoteFacts.fields, created_by: Schema.NullOr(UserId) }),
      execute: ({ id, organization_id }) => sql`
        select ${columns}, q.created_by from ${source}
        where q.organization_id = ${organization_id} and q.id = ${id} and q.deleted_at is null`
    })
    /**
     * Locks the row in a statement of its own. A statement that also read the customer would wait for the lock, and
     * then read the customer from an outdated snapshot.
     */
    const lockRow = SqlSchema.void({
      Request: Key,
      execute: ({ id, organization_id }) => sql`
        select id from quotes where organization_id = ${organization_id} and id = ${id} for update`
    })

    /** Distinguishes `sent` from `expired` in the same way as `statusOf`. */
    const hasStatus = (status: QuoteStatus, today: Day) => {
      if (status === "sent") return sql`q.status = 'sent' and q.valid_until >= ${today}::date`
      if (status === "expired") return sql`q.status = 'sent' and q.valid_until < ${today}::date`
      return sql`q.status = ${status}`
    }

    const conditions = (organization_id: OrganizationId, query: QuotesQuery, today: Day) => [
      sql`q.organization_id = ${organization_id}`,
      deletedFilter(sql, query, "q.deleted_at"),
      ...conditionsOf(query, {
        external_id: (id) => sql`q.external_id = ${id}`,
        status: (status) => hasStatus(status, today),
        date_from: (day) => sql`q.issue_date >= ${day}::date`,
        date_to: (day) => sql`q.issue_date <= ${day}::date`,
        customer_id: (id) => sql`q.customer_id = ${id}`
      })
    ]

    const listing = deletableListingOf(QuoteSummaryFacts.fields)
    const termsOf = sortedBy(sql, quotesSorting, (column) => `q.${column}`)

    const searched = searchedList(sql, {
      table: "quotes",
      alias: "q",
      columns: summaryColumns,
      source,
      sorting: quotesSorting,
      keys: "issue_date, valid_until"
    })

    const list = Effect.fn("QuotesRepo.list")(function* (
      organization_id: OrganizationId,
      query: QuotesQuery,
      today: Day
    ) {
      const asked = conditions(organization_id, query, today)
      const alternatives = documentSearch(sql, searched_codes, organization_id, query.search)
      return yield* listing(query, (query) => {
        if (alternatives.length > 0) return searched(query, { organization_id, conditions: asked, alternatives })
        const { facts, limited, matching, sorted, where } = termsOf(query, asked)
        return sql<Listed>`
          select ${summaryColumns}, ${facts(sql`select count(*)::integer from quotes q where ${matching}`)}
          from ${source} where ${where} ${sorted} ${limited}`
      })
    }, Effect.orDie)

    return {
      ...traced("QuotesRepo", { find, lock: (key: Key) => Effect.andThen(lockRow(key), find(key)) }),
      insert,
      save,
      convert,
      change,
      remove,
      hold,
      list
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
