import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Day } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { talliedPage, talliedTotal } from "../../platform/tallies/TalliedList.ts"
import { documentSearch, searchedList } from "../search/DocumentSearchRepo.ts"
import { type InvoicesQuery, invoicesSorting, InvoiceSummaryFacts, type StatusFilter } from "./Invoice.ts"
import { source, summaryColumns } from "./InvoicesRepo.ts"

const searched_codes = ["number", "payment_reference", "details ->> 'purchase_order'"]

const listing = deletableListingOf(InvoiceSummaryFacts.fields)

/** True if the query asks for a numbered page of all customers' invoices, newest first. */
const isDefault = ({ after, customer_id, deleted, sort, updated_since }: InvoicesQuery) =>
  customer_id === undefined &&
  after === undefined &&
  updated_since === undefined &&
  deleted !== true &&
  (sort === undefined || sort === invoicesSorting.usual)

/**
 * Reads pages of an organization's invoices at a cost that does not grow with the number of invoices.
 *
 * Default pages are numbered, newest first. Sums over `invoice_tallies`, which counts invoices per day and status, give
 * the total and the days that the page covers; only these days are read from an index.
 *
 * A query for one customer, or with another order, a cursor, `updated_since` or deleted records reads the index that has
 * its order. A search counts and sorts its matches, which are few.
 */
export class InvoiceListRepo extends Context.Service<InvoiceListRepo>()("invoicing/billing/invoices/InvoiceListRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const columns = sql.literal(summaryColumns)
    const joined = sql.literal(source)

    /**
     * Filters by columns that `invoices` and `invoice_tallies` share. The column `state` has the status without regard
     * to the due date.
     */
    const hasStatus = (status: StatusFilter | undefined, today: Day): ReadonlyArray<Fragment> => {
      switch (status) {
        case undefined:
          return []
        case "draft":
        case "credited":
        case "paid":
        case "void":
          return [sql`state = ${status}`]
        case "sent":
        case "partially_paid":
          // Names both states, so that the planner can use the index of invoices that are still owed.
          return [sql`state in ('sent', 'partially_paid')`, sql`state = ${status}`, sql`due_date >= ${today}::date`]
        case "overdue":
          return [sql`state in ('sent', 'partially_paid')`, sql`due_date < ${today}::date`]
        case "unpaid":
          return [sql`state in ('sent', 'partially_paid')`]
      }
    }

    /** Selects only open invoices, because the tallies have no due dates of others. */
    const isDueWithin = (query: InvoicesQuery): ReadonlyArray<Fragment> => {
      const due = conditionsOf(query, {
        due_from: (day) => sql`due_date >= ${day}::date`,
        due_to: (day) => sql`due_date <= ${day}::date`
      })
      return due.length === 0 ? [] : [sql`state in ('sent', 'partially_paid')`, ...due]
    }

    const inPeriod = (query: InvoicesQuery) =>
      conditionsOf(query, {
        date_from: (day) => sql`issue_date >= ${day}::date`,
        date_to: (day) => sql`issue_date <= ${day}::date`
      })

    /**
     * Returns alternative conditions; an invoice that meets one of them is found. Returns none if the query has neither a
     * search nor an external id.
     */
    const foundBy = (organization_id: OrganizationId, query: InvoicesQuery): ReadonlyArray<Fragment> => {
      const outside = conditionsOf(query, { external_id: (id) => sql`external_id = ${id}` })
      const alternatives = documentSearch(sql, searched_codes, organization_id, query.search)
      return alternatives.length === 0 ? outside : alternatives.map((each) => sql.and([...outside, each]))
    }

    const byTally = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const status = [...hasStatus(query.status, today), ...isDueWithin(query)]
      const days = sql`
        select issue_date as day, sum(count)::integer as count from invoice_tallies
        where ${sql.and([...talliedConditions(organization_id, query, today), sql`count > 0`])}
        group by issue_date`
      const rows = sql`
        select id from invoices
        where ${sql.and([sql`organization_id = ${organization_id}`, sql`deleted_at is null`, ...status])}
          and issue_date = paged.day`
      return sql<Listed>`
        with ${talliedPage(sql, query, "desc", { days, rows })}
        select ${columns}, ${sql.literal(talliedTotal)}
        from listed join ${joined} on i.organization_id = ${organization_id} and i.id = listed.listed_id
        order by listed.day desc, listed_id desc`
    }

    const talliedConditions = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => [
      sql`organization_id = ${organization_id}`,
      ...hasStatus(query.status, today),
      ...isDueWithin(query),
      ...inPeriod(query)
    ]
    const ofCustomer = (query: InvoicesQuery) => conditionsOf(query, { customer_id: (id) => sql`customer_id = ${id}` })

    const termsOf = sortedBy(sql, invoicesSorting, (column) => `i.${column}`)

    const inOrder = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const tallied = talliedConditions(organization_id, query, today)
      const asked = [deletedFilter(sql, query), ...tallied, ...ofCustomer(query)]
      const { facts, limited, matching, sorted, where } = termsOf(query, asked)
      const isTallied = query.customer_id === undefined && query.updated_since === undefined && query.deleted !== true
      const count = isTallied
        ? sql`select coalesce(sum(count), 0)::integer from invoice_tallies where ${sql.and(tallied)}`
        : sql`select count(*)::integer from invoices i where ${matching}`
      return sql<Listed>`
        with listed as materialized (select i.id from invoices i where ${where} ${sorted} ${limited})
        select ${columns}, ${facts(count)}
        from listed join ${joined} on i.organization_id = ${organization_id} and i.id = listed.id ${sorted}`
    }

    const searched = searchedList(sql, {
      table: "invoices",
      alias: "i",
      columns,
      source: joined,
      sorting: invoicesSorting,
      keys: "issue_date, due_date"
    })

    /** Public so that `npm run bench:lists` can show the query plan. */
    const statement = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const alternatives = foundBy(organization_id, query)
      if (alternatives.length > 0) {
        const conditions = [
          deletedFilter(sql, query),
          ...talliedConditions(organization_id, query, today),
          ...ofCustomer(query)
        ]
        return searched(query, { organization_id, conditions, alternatives })
      }
      return isDefault(query) ? byTally(organization_id, query, today) : inOrder(organization_id, query, today)
    }

    const list = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) =>
      Effect.orDie(listing(query, (query) => read<Listed>`${statement(organization_id, query, today)}`))

    return { list, statement }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
