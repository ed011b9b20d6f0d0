import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import { idsOf, openLists } from "./SyncedLists.ts"

const app = useApp()
const rows = 1_000

const ofOrganization = async (id: number): Promise<ReadonlyArray<number>> => {
  const found: unknown = await app.inDatabase(
    `select id from invoices where organization_id = ${id} and deleted_at is null order by id`
  )
  return Array.isArray(found) ? idsOf(found) : []
}

/** A trigger prevents changes to issued invoices. It is disabled, because these tests change them. */
beforeAll(async () => {
  await app.inDatabase("alter table invoices disable trigger invoices_sealed")
})

describe("reading 1,000 invoices by cursor", () => {
  it.each(["-issue_date", "-id", "updated_at", "-updated_at"])(
    "by %s has each that nobody touches once, whatever becomes of the others between its pages",
    async (sort) => {
      const own = await openLists(app, rows)
      const all = await ofOrganization(own.id)
      const touched = new Set<number>()
      const take = (place: number) => {
        const id = all[place % rows] ?? 0
        touched.add(id)
        return id
      }
      let pages = 0
      const disturb = async () => {
        pages++
        // 37 and the number of rows have no common divisor, so each call chooses other rows around the cursor.
        const [changed, dated, deleted] = [pages * 37, pages * 37 + 401, pages * 37 + 811].map(take)
        await app.inDatabase(`update invoices set updated_at = now() where id = ${changed}`)
        await app.inDatabase(`update invoices set issue_date = date '2026-01-01' + ${pages % 5}, updated_at = now()
          where id = ${dated}`)
        await app.inDatabase(`update invoices set deleted_at = now() where id = ${deleted}`)
        for (const day of ["2025-12-31", "2026-01-03", "2026-12-31"]) {
          await app.inDatabase(`insert into invoices (organization_id, customer_id, issue_date, due_date, currency, items,
              tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
            values (${own.id}, ${own.customer}, '${day}', '2999-01-01', 'EUR', '[]', '[]', 1, 0, 0, 1, now(), now())`)
        }
      }
      const walked = await own.walked("/invoices", `sort=${sort}`, 100, async () => {
        if (pages < 9) await disturb()
      })
      const seen = idsOf(walked.rows)
      const untouched = all.filter((id) => !touched.has(id))
      const known = new Set(untouched)
      expect(untouched.length).toBe(rows - 27)
      expect(seen.filter((id) => known.has(id)).toSorted((a, b) => a - b)).toEqual(untouched)
      // A client that reads in the order of change ends with the latest version of every row.
      if (sort === "updated_at") {
        const versions = new Map(walked.rows.map(({ id, updated_at }) => [id, updated_at]))
        const now = await own.numbered("/invoices", "")
        expect(now.filter(({ id, updated_at }) => versions.get(id) !== updated_at)).toEqual([])
      }
    }
  )

  it("returns a change that commits after the first sync in the next one, however late it commits", async () => {
    const own = await openLists(app, 3)
    const [late = 0, other = 0] = idsOf((await own.walked("/customers", "sort=id")).rows)
    const written = Promise.withResolvers<void>()
    const walked = Promise.withResolvers<void>()
    const writing = app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update customers set name = 'Late', updated_at = now() - interval '1 second' where id = ${late}`
        written.resolve()
        yield* Effect.promise(() => walked.promise)
      }).pipe((change) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(change)))
    )
    await written.promise
    await app.inDatabase(`update customers set name = 'Early', updated_at = now() where id = ${other}`)
    const first = await own.walked("/customers", "updated_since=2026-02-01T00:00:00Z")
    walked.resolve()
    await writing
    expect(idsOf(first.rows)).toEqual([other])
    // A client that uses the latest time it has seen as `updated_since` misses the change that was committed late.
    const naive = await own.numbered("/customers", `updated_since=${first.rows[0]?.updated_at}`)
    expect(idsOf(naive)).not.toContain(late)
    const second = await own.walked("/customers", `updated_since=${first.next_updated_since}`)
    expect(idsOf(second.rows)).toEqual([late, other])
    expect(second.rows[0]?.["name"]).toBe("Late")
  })

  it("states on each page when the next sync must begin: some minutes before this one began", async () => {
    const own = await openLists(app, 3)
    const before = Date.now()
    const { body } = await own.ask("/customers", "cursor=&per_page=1")
    const after = Date.now()
    const begun = Date.parse(body.meta.next_updated_since) + 5 * 60_000
    expect([begun >= before, begun <= after]).toEqual([true, true])
    const second = (await own.ask("/customers", `cursor=${body.meta.next_cursor}&per_page=1`)).body
    expect(second.meta.next_updated_since).toBe(body.meta.next_updated_since)
  })
})
