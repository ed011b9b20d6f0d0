import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { limitOf, offsetOf } from "../../kernel/Envelope.ts"
import type { Day } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { searchPattern } from "../../kernel/SearchText.ts"
import { deletableListingOf, sortedBy, deletedFilter } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { talliedPage, talliedTotal } from "../../platform/tallies/TalliedList.ts"
import { type InvoicesQuery, invoicesSorting, InvoiceSummaryFacts, type StatusFilter } from "./Invoice.ts"
import { source, summaryColumns } from "./InvoicesRepo.ts"

/** Minimum length of a search for the end of a number; a shorter text must be the whole number. */
const search_characters_min = 4

const listing = deletableListingOf(InvoiceSummaryFacts.fields)

/** True for a query for a numbered page of all invoices that are not deleted, newest first. */
const isUsual = ({ after, deleted, sort, updated_since }: InvoicesQuery) =>
  after === undefined &&
  updated_since === undefined &&
  deleted !== true &&
  (sort === undefined || sort === invoicesSorting.usual)

/**
 * Reads pages of an organization's invoices at a cost that does not grow with the number of invoices.
 *
 * Default pages are numbered, newest first. Sums over `invoice_tallies`, which counts invoices per day and status, give
 * the total and the days that the page covers; only these days are read from an index. The invoices of one customer or
 * with one number are few, so they are counted and paged in a covering index.
 *
 * A query with another order, a cursor, `updated_since` or deleted records reads the index that has its order.
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

    const inPeriod = ({ date_from, date_to }: InvoicesQuery): ReadonlyArray<Fragment> => [
      ...(date_from === undefined ? [] : [sql`issue_date >= ${date_from}::date`]),
      ...(date_to === undefined ? [] : [sql`issue_date <= ${date_to}::date`])
    ]

    /** Matches invoices whose number, payment reference or order ends with the text, ignoring separators. */
    const numbered = (search: string | undefined): ReadonlyArray<Fragment> => {
      const code = (search ?? "").replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase()
      if (code === "") return []
      const first = Array.from(code).toReversed().join("")
      // A range uses the index. A `like` would not, because a prepared statement is planned before its pattern is
      // known.
      const last = code.length < search_characters_min ? first : `${first}~`
      const codes = ["number", "payment_reference", "details ->> 'purchase_order'"]
      return codes.map((code) => {
        const tail = sql.literal(`search_tail(${code})`)
        return sql`${tail} ~>=~ ${first} and ${tail} ~<=~ ${last}`
      })
    }

    const ofNamed = (organization_id: OrganizationId, search: string | undefined): ReadonlyArray<Fragment> => {
      const pattern = searchPattern(search)
      // A text without letters and digits does not filter the list.
      if (pattern === undefined || !/[\p{L}\p{N}]/u.test(pattern)) return []
      return [
        sql`customer_id in (
          select id from debtors where organization_id = ${organization_id} and search like ${pattern}
            and split_part(search, chr(10), 1) like ${pattern})`
      ]
    }

    /**
     * Returns alternative conditions, of which an invoice must meet one; only few invoices do. Returns none if the
     * query has neither a search nor an external id.
     */
    const named = (
      organization_id: OrganizationId,
      { external_id, search }: InvoicesQuery
    ): ReadonlyArray<Fragment> => {
      const outside = external_id === undefined ? [] : [sql`external_id = ${external_id}`]
      const alternatives = [...numbered(search), ...ofNamed(organization_id, search)]
      return alternatives.length === 0 ? outside : alternatives.map((each) => sql.and([...outside, each]))
    }

    /**
     * Each alternative is a `select` of its own: the plan of a prepared statement does not depend on the organization,
     * and a single `select` would scan all invoices of a large organization.
     */
    const found = (columns: string, conditions: ReadonlyArray<Fragment>, alternatives: ReadonlyArray<Fragment>) => {
      const selects = (alternatives.length === 0 ? [sql`true`] : alternatives).map(
        (each) => sql`select ${sql.literal(columns)} from invoices where ${sql.and([...conditions, each])}`
      )
      return sql.join(" union ", false)(selects)
    }

    const byTally = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const status = hasStatus(query.status, today)
      const days = sql`
        select issue_date as day, sum(count)::integer as count from invoice_tallies
        where ${sql.and([sql`organization_id = ${organization_id}`, sql`count > 0`, ...status, ...inPeriod(query)])}
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

    const byIndex = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const { customer_id } = query
      const search = named(organization_id, query)
      const conditions = [
        sql`organization_id = ${organization_id}`,
        sql`deleted_at is null`,
        ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
        ...hasStatus(query.status, today),
        ...inPeriod(query)
      ]
      // A search materializes its matches first, so that the planner does not scan all invoices in order.
      const matches = found("id, issue_date", conditions, search)
      const searched = search.length === 0 ? sql`` : sql`found as materialized (${matches}),`
      const from = search.length === 0 ? sql`(${matches}) found` : sql`found`
      return sql<Listed>`
        with ${searched} listed as materialized (
          select id, issue_date from ${from}
          order by issue_date desc, id desc limit ${limitOf(query)} offset ${offsetOf(query)})
        select ${columns}, (select count(*)::integer from ${from}) as list_total
        from listed join ${joined} on i.organization_id = ${organization_id} and i.id = listed.id
        order by listed.issue_date desc, listed.id desc`
    }

    const termsOf = sortedBy(sql, invoicesSorting, (column) => `i.${column}`)

    const inOrder = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      const { customer_id } = query
      const tallied = [sql`organization_id = ${organization_id}`, ...hasStatus(query.status, today), ...inPeriod(query)]
      const search = named(organization_id, query)
      const customer = customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]
      const asked = [deletedFilter(sql, query), ...tallied, ...customer]
      // A search materializes its matches first, so that the planner does not scan all invoices in the order of the
      // list.
      const searched = search.length > 0
      const matches = sql`
        found as materialized (${found("id, issue_date, due_date, updated_at, deleted_at", asked, search)}),`
      const from = searched ? sql`found i` : sql`invoices i`
      const { facts, limited, matching, sorted, where } = termsOf(query, searched ? [sql`true`] : asked)
      const isNarrowed = searched || customer_id !== undefined || query.updated_since !== undefined
      const isTallied = !isNarrowed && query.deleted !== true
      const count = isTallied
        ? sql`select coalesce(sum(count), 0)::integer from invoice_tallies where ${sql.and(tallied)}`
        : sql`select count(*)::integer from ${from} where ${matching}`
      return sql<Listed>`
        with ${searched ? matches : sql``} listed as materialized (select i.id from ${from} where ${where} ${sorted} ${limited})
        select ${columns}, ${facts(count)}
        from listed join ${joined} on i.organization_id = ${organization_id} and i.id = listed.id ${sorted}`
    }

    /** Public so that `npm run bench:lists` can show the query plan. */
    const statement = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) => {
      if (!isUsual(query)) return inOrder(organization_id, query, today)
      return query.customer_id === undefined && named(organization_id, query).length === 0
        ? byTally(organization_id, query, today)
        : byIndex(organization_id, query, today)
    }

    const list = (organization_id: OrganizationId, query: InvoicesQuery, today: Day) =>
      Effect.orDie(listing(query, (query) => read<Listed>`${statement(organization_id, query, today)}`))

    return { list, statement }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
