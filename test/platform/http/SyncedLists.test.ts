import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import { idsOf, type Lists, lists, openLists, sortedBy } from "./SyncedLists.ts"

const app = useApp()
const rows = 24
let own: Lists
let other: Lists

beforeAll(async () => {
  own = await openLists(app, rows)
  other = await openLists(app, rows)
})

const since = "2026-01-01T10:05:00.123Z"

describe.each(lists)("GET /api/v1$path", ({ columns, filter, path, table, usual }) => {
  const sorts = columns.flatMap((column) => [column, `-${column}`])

  it("sorts by each of its columns, by page and by cursor alike, with and without a filter", async () => {
    const all = await own.numbered(path, "")
    expect(all).toHaveLength(rows)
    expect(idsOf(all)).toEqual(idsOf(sortedBy(all, usual)))
    const few = await own.numbered(path, filter)
    expect(few.length).toBe(rows / 2)
    for (const sort of sorts) {
      expect([sort, idsOf(await own.numbered(path, `sort=${sort}`))]).toEqual([sort, idsOf(sortedBy(all, sort))])
      const walked = await own.walked(path, `sort=${sort}&${filter}`)
      expect([sort, idsOf(walked.rows)]).toEqual([sort, idsOf(sortedBy(few, sort))])
    }
    expect((await own.walked(path, "")).rows).toEqual(all)
    expect(idsOf((await own.walked(path, "", rows)).rows)).toEqual(idsOf(all))
  })

  it("answers what changed at a moment or after it, in the order of change", async () => {
    const all = await own.numbered(path, "")
    const recent = all.filter(({ updated_at }) => updated_at >= since)
    expect(recent.length).toBe(rows - 14)
    const expected = idsOf(sortedBy(recent, "updated_at"))
    for (const moment of [since, "2026-01-01T12:05:00.123%2B02:00"]) {
      expect(idsOf(await own.numbered(path, `updated_since=${moment}`))).toEqual(expected)
    }
    expect(idsOf((await own.walked(path, `updated_since=${since}`)).rows)).toEqual(expected)
    expect((await own.ask(path, `updated_since=${since}`)).body.meta.total).toBe(expected.length)
    const passing = new Set(idsOf(await own.numbered(path, filter)))
    for (const sort of sorts) {
      const query = `updated_since=${since}&sort=${sort}&${filter}`
      const some = idsOf(sortedBy(recent, sort)).filter((id) => passing.has(id))
      expect([sort, idsOf(await own.numbered(path, query))]).toEqual([sort, some])
      expect([sort, idsOf((await own.walked(path, query)).rows)]).toEqual([sort, some])
    }
    expect(await own.numbered(path, "updated_since=2999-01-01T00:00:00Z")).toEqual([])
    expect((await own.walked(path, "updated_since=2999-01-01T00:00:00Z")).rows).toEqual([])
  })

  it("answers 422 for a sort, a moment or a cursor that it does not know", async () => {
    const { next_cursor } = (await own.ask(path, "cursor=&per_page=3")).body.meta
    const refused: ReadonlyArray<readonly [string, string]> = [
      ["sort", "sort=notes"],
      ["sort", "sort=id%20desc"],
      ["updated_since", "updated_since=yesterday"],
      ["cursor", "cursor=x"],
      ["cursor", `cursor=${"x".repeat(3_000)}`],
      ["cursor", `cursor=${next_cursor}x`],
      ["cursor", `cursor=${next_cursor.slice(0, -9)}AAAAAAAAA`],
      ["cursor", `cursor=${next_cursor}&sort=-updated_at`],
      ["cursor", `cursor=${next_cursor}&updated_since=${since}`],
      ["cursor", `cursor=${next_cursor}&${filter}`]
    ]
    for (const [key, query] of refused) {
      const { body, status } = await own.ask(path, query)
      expect([query, status, body.code, Object.keys(body.errors)]).toEqual([query, 422, "validation_failed", [key]])
    }
  })

  it("refuses a cursor of another organization, of another list, and one that was made up", async () => {
    const theirs = (await other.ask(path, "cursor=&per_page=3")).body.meta.next_cursor
    expect((await own.ask(path, `cursor=${theirs}`)).status).toBe(422)
    const elsewhere = lists.find((list) => list.path !== path && !list.path.includes("{")) ?? lists[0]
    const foreign = (await own.ask(elsewhere?.path ?? "", "cursor=&per_page=3")).body.meta.next_cursor
    expect((await own.ask(path, `cursor=${foreign}`)).status).toBe(422)
  })

  it("accepts another page size on the way, and ignores a page number", async () => {
    const all = await own.numbered(path, "")
    const { next_cursor } = (await own.ask(path, "cursor=&per_page=3&page=4")).body.meta
    const { body } = await own.ask(path, `cursor=${next_cursor}&per_page=5&page=2`)
    expect(idsOf(body.data)).toEqual(idsOf(all.slice(3, 8)))
    expect(body.meta.per_page).toBe(5)
    expect(new URL(body.links.next).searchParams.has("page")).toBe(false)
  })

  it("has an index for each sort", async () => {
    for (const column of columns) {
      const plan = await app.run(planOf(table, expressions[`${table}.${column}`] ?? column))
      expect([column, plan.includes("Index"), plan.includes("Sort")]).toEqual([column, true, false])
    }
  })
})

describe("GET /api/v1/invoices", () => {
  const filters = [
    "search=INV-12",
    "search=nothing",
    "date_from=2026-01-02&date_to=2026-01-03",
    "status=unpaid",
    "status=overdue"
  ]

  it.each([...filters, `customer_id={customer}`, "customer_id={customer}&status=sent&search=INV-12"])(
    "answers the rows of %s in each order, by pages and by cursor alike",
    async (filter) => {
      const asked = filter.replace("{customer}", own.customer)
      const some = await own.numbered("/invoices", asked)
      const recent = some.filter(({ updated_at }) => updated_at >= since)
      for (const sort of ["issue_date", "-id", "updated_at"]) {
        const query = `${asked}&sort=${sort}`
        expect(idsOf(await own.numbered("/invoices", query))).toEqual(idsOf(sortedBy(some, sort)))
        expect((await own.ask("/invoices", query)).body.meta.total).toBe(some.length)
        expect(idsOf((await own.walked("/invoices", query)).rows)).toEqual(idsOf(sortedBy(some, sort)))
        const late = `${query}&updated_since=${since}`
        expect((await own.ask("/invoices", late)).body.meta.total).toBe(recent.length)
        expect(idsOf((await own.walked("/invoices", late)).rows)).toEqual(idsOf(sortedBy(recent, sort)))
      }
    }
  )
})

const name = "left(split_part(search, chr(10), 1), 200)"
const expressions: Readonly<Record<string, string>> = {
  "customers.name": name,
  "contacts.name": name,
  "credit_notes.issue_date": "(case when sent_at is null then 'infinity'::date else issue_date end)"
}

/** Returns the query plan for one page of a list that is sorted by this expression. */
const planOf = (table: string, expression: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`set local enable_sort = off`
    yield* sql`set local enable_seqscan = off`
    const live = ["bank_transactions", "einvoices"].includes(table) ? "" : "and deleted_at is null"
    const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(
      `explain select * from ${table} where organization_id = 1 ${live} order by ${expression} desc, id desc limit 3`
    )
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  }).pipe((plan) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(plan)))
