import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListingRequest, Sorting } from "../../kernel/Listing.ts"
import { searchPattern } from "../../kernel/SearchText.ts"
import { sortedBy } from "../../platform/sql/statements/Listing.ts"
import type { Listed } from "../../platform/sql/statements/Page.ts"

/** Minimum length of a search for the end of a code; a shorter text must be the whole code. */
const code_characters_min = 4

/**
 * Conditions that select a row if at least one of its codes ends with the searched text; separators are ignored.
 * `codes` are SQL expressions. Each expression needs an index on `search_tail(expression)`.
 */
export const endingWith = (
  sql: SqlClient.SqlClient,
  codes: ReadonlyArray<string>,
  search: string | undefined
): ReadonlyArray<Fragment> => {
  const code = (search ?? "").replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase()
  if (code === "") return []
  const first = Array.from(code).toReversed().join("")
  // A range uses the index. A `like` would not, because a prepared statement is planned before its pattern is known.
  const last = code.length < code_characters_min ? first : `${first}~`
  return codes.map((code) => {
    const tail = sql.literal(`search_tail(${code})`)
    return sql`${tail} ~>=~ ${first} and ${tail} ~<=~ ${last}`
  })
}

/** The condition for documents of customers whose name contains the text. */
export const ofNamed = (
  sql: SqlClient.SqlClient,
  organization_id: OrganizationId,
  search: string | undefined
): ReadonlyArray<Fragment> => {
  const pattern = searchPattern(search)
  if (pattern === undefined || !/[\p{L}\p{N}]/u.test(pattern)) return []
  return [
    sql`customer_id in (
      select id from debtors where organization_id = ${organization_id} and search like ${pattern}
        and split_part(search, chr(10), 1) like ${pattern})`
  ]
}

/** Adds the row with this external id; a text without letters and digits may be one, too. */
export const orNamedOutside = (
  sql: SqlClient.SqlClient,
  alternatives: ReadonlyArray<Fragment>,
  search: string | undefined
): ReadonlyArray<Fragment> =>
  searchPattern(search) === undefined ? [] : [...alternatives, sql`external_id = ${(search ?? "").trim()}`]

/**
 * Alternative conditions of a search for documents; a document must meet one of them. Returns none without a search
 * text.
 */
export const documentSearch = (
  sql: SqlClient.SqlClient,
  codes: ReadonlyArray<string>,
  organization_id: OrganizationId,
  search: string | undefined
): ReadonlyArray<Fragment> =>
  orNamedOutside(sql, [...endingWith(sql, codes, search), ...ofNamed(sql, organization_id, search)], search)

interface SearchedList {
  /** The table of the list, and the alias that names it in columns and conditions. */
  readonly table: string
  readonly alias: string
  readonly columns: Fragment
  /** The tables from which `columns` are read. */
  readonly source: Fragment
  readonly sorting: Sorting
  /** The columns of the table that the sorting reads, besides `id`, `updated_at` and `deleted_at`. */
  readonly keys: string
  /** SQL of a sortable column, if it is not the column itself. */
  readonly expression?: (column: string) => string
}

/**
 * Reads a page of the rows that a search finds. Each alternative is a `select` of its own: the plan of a prepared
 * statement does not depend on the organization, and a single `select` would scan all rows of a large organization. The
 * matches are materialized first, so that the planner does not scan all rows in the order of the list.
 */
export const searchedList = (sql: SqlClient.SqlClient, list: SearchedList) => {
  const { alias, columns, keys, source, sorting, table } = list
  const expression = list.expression ?? ((column: string) => `${alias}.${column}`)
  const termsOf = sortedBy(sql, sorting, expression)
  const [rows, found] = [sql.literal(`${table} ${alias}`), sql.literal(`found ${alias}`)]
  const [read, id] = [sql.literal(`${alias}.id, ${keys}, updated_at, deleted_at`), sql.literal(`${alias}.id`)]
  return (
    query: ListingRequest,
    {
      alternatives,
      conditions,
      organization_id
    }: {
      readonly organization_id: OrganizationId
      readonly conditions: ReadonlyArray<Fragment>
      readonly alternatives: ReadonlyArray<Fragment>
    }
  ) => {
    const { facts, limited, matching, sorted, where } = termsOf(query, [sql`true`])
    const matches = alternatives.map((each) => sql`select ${read} from ${rows} where ${sql.and([...conditions, each])}`)
    return sql<Listed>`
      with found as materialized (${sql.join(" union ", false)(matches)}),
      listed as materialized (select ${id} as listed_id from ${found} where ${where} ${sorted} ${limited})
      select ${columns}, ${facts(sql`select count(*)::integer from ${found} where ${matching}`)}
      from listed join ${source} on ${sql.literal(`${alias}.organization_id`)} = ${organization_id} and ${id} = listed_id
      ${sorted}`
  }
}
