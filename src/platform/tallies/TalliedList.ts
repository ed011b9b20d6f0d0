import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Day } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest } from "../../kernel/Envelope.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListingRequest, Sorting } from "../../kernel/Listing.ts"
import { conditionsOf } from "../sql/statements/Filters.ts"
import { sortedBy } from "../sql/statements/Listing.ts"

type Direction = "asc" | "desc"

/**
 * SQL that finds the ids of page N of a list, at a cost that does not grow with N. `days` selects the number of rows
 * per day, whose running sum shows the days of the page; `rows` selects the ids of the day `paged.day`. The result is
 * `listed`, with the columns `listed_id` and `day`.
 */
export const talliedPage = (
  sql: SqlClient.SqlClient,
  page: PageRequest,
  direction: Direction,
  { days, rows }: { readonly days: Fragment; readonly rows: Fragment }
): Fragment => {
  const [limit, offset, order] = [limitOf(page), offsetOf(page), sql.literal(direction)]
  return sql`
    days as materialized (${days}),
    placed as (select day, count, sum(count) over (order by day ${order}) - count as before from days),
    paged as materialized (
      select day, greatest(${offset} - before, 0) as skipped from placed
      where before < ${offset + limit} and before + count > ${offset}),
    listed as materialized (
      select found.id as listed_id, paged.day from paged cross join lateral (
        ${rows} order by id ${order} offset paged.skipped limit ${limit}) found
      order by paged.day ${order}, found.id ${order} limit ${limit})`
}

/** A column with the total number of rows of the list, for a statement that begins with `talliedPage`. */
export const talliedTotal = "(select coalesce(sum(count), 0)::integer from days) as list_total"

interface TalliedList {
  /** The table of the list, whose triggers count its rows for `list_counts`. */
  readonly table: "payments" | "expenses" | "bank_transactions"
  /** The alias of the table in columns and conditions. */
  readonly alias: string
  /** The date column; rows are counted per day of this column. */
  readonly day: string
  readonly columns: Fragment
  readonly sorting: Sorting
}

interface Asked {
  readonly organization_id: OrganizationId
  readonly conditions: ReadonlyArray<Fragment>
  /** The filters of the request by kind, state and day; undefined if the request also has another filter. */
  readonly filters: TalliedFilters | undefined
}

/** `kind` and `state` filter by the columns of the same names in `list_counts`. Undefined means: no filter. */
interface TalliedFilters {
  readonly kind: string | number | undefined
  readonly state: string | undefined
  readonly date_from?: Day | undefined
  readonly date_to?: Day | undefined
}

/**
 * Reads a list whose rows are counted per day in the table `list_counts`. The total is the sum of these counts. They also
 * tell on which days the rows of a numbered page are, if the list is sorted by day; other pages are read from an index.
 */
export const talliedList = (sql: SqlClient.SqlClient, { alias, columns, day, sorting, table }: TalliedList) => {
  const termsOf = sortedBy(sql, sorting, (column) => `${alias}.${column}`)
  const [id, source] = [sql(`${alias}.id`), sql.literal(`${table} ${alias}`)]

  const daysOf = (organization_id: OrganizationId, filters: TalliedFilters) => sql`
    select day, sum(count)::integer as count from list_counts
    where ${sql.and([
      sql`organization_id = ${organization_id}`,
      sql`list = ${table}`,
      ...conditionsOf(filters, {
        kind: (kind) => sql`kind = ${String(kind)}`,
        state: (state) => sql`state = ${state}`,
        date_from: (day) => sql`day >= ${day}::date`,
        date_to: (day) => sql`day <= ${day}::date`
      })
    ])}
    group by day having sum(count) > 0`

  return (query: ListingRequest, { conditions, filters, organization_id }: Asked): Fragment => {
    const own = sql`${sql(`${alias}.organization_id`)} = ${organization_id}`
    const { facts, limited, matching, sorted, where } = termsOf(query, [own, ...conditions])
    const isWhole = query.deleted !== true && query.updated_since === undefined
    const days = filters === undefined || !isWhole ? undefined : daysOf(organization_id, filters)
    const direction = directionOf(day, query)
    if (days !== undefined && direction !== undefined) {
      const rows = sql`select ${id} from ${source} where ${matching} and ${sql(`${alias}.${day}`)} = paged.day`
      return sql`
        with ${talliedPage(sql, query, direction, { days, rows })}
        select ${columns}, ${sql.literal(talliedTotal)}
        from listed join ${source} on ${own} and ${id} = listed.listed_id ${sorted}`
    }
    const count =
      days === undefined
        ? sql`select count(*)::integer from ${source} where ${matching}`
        : sql`select coalesce(sum(count), 0)::integer from (${days}) days`
    return sql`
      with listed as materialized (select ${id} as listed_id from ${source} where ${where} ${sorted} ${limited})
      select ${columns}, ${facts(count)} from listed join ${source} on ${own} and ${id} = listed.listed_id ${sorted}`
  }
}

/** Direction of a numbered page that is sorted by the column `day` (the default); undefined for any other page. */
const directionOf = (day: string, { after, sort }: ListingRequest): Direction | undefined => {
  if (after !== undefined) return undefined
  if (sort === undefined || sort === `-${day}`) return "desc"
  return sort === day ? "asc" : undefined
}
