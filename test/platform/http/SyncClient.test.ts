import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ExpenseBooks, useExpenses } from "../../support/Expenses.ts"
import { type Kind, kinds, kindsOf } from "../../support/Kinds.ts"

const { app, open } = useExpenses()

interface Row {
  readonly id: number
  readonly deleted_at?: string
}

/** Reads all rows by cursor, and returns them with the moment at which the reading began. */
const walked = async (books: ExpenseBooks, path: string, query: string) => {
  const rows: Array<Row> = []
  for (let cursor: string | null = ""; ;) {
    const { body, status } = await books.call("GET", `${path}?${query}&per_page=3&cursor=${cursor}`)
    expect([path, status]).toEqual([path, 200])
    rows.push(...body.data)
    cursor = body.meta.next_cursor
    if (cursor === null) return { rows, began: beganAt(body.meta.next_updated_since) }
  }
}

/**
 * Returns the moment at which the reading began, which is five minutes after `next_updated_since`. A sync from that
 * earlier time would return some rows twice, so the test could not count them.
 */
const beganAt = (next_updated_since: string) => new Date(Date.parse(next_updated_since) + 300_000).toISOString()

/** A client that learns of changes and deletions only from the list. */
const clientOf = (books: ExpenseBooks, { path }: Kind) => {
  const records = new Map<number, Row>()
  let since = "2020-01-01T00:00:00Z"
  return {
    records,
    sync: async () => {
      const changed = await walked(books, path, `updated_since=${since}`)
      const deleted = await walked(books, path, `updated_since=${since}&deleted=true`)
      for (const row of changed.rows) records.set(row.id, row)
      for (const row of deleted.rows) {
        expect(Object.keys(row).toSorted()).toEqual(["deleted_at", "id"])
        records.delete(row.id)
      }
      since = changed.began
      return { changed: changed.rows.length, deleted: deleted.rows.length }
    }
  }
}

const byId = (rows: Iterable<Row>) => [...rows].toSorted((a, b) => a.id - b.id)

/** Events between two syncs; `which` selects one of the existing records. */
const happening = fc.record({
  what: fc.constantFrom("create", "create", "change", "delete", "batch delete", "sync"),
  which: fc.nat()
})

describe.each(kinds)("a client that syncs each %s", (object) => {
  it("has exactly what the server has, after any creations, changes and deletions", async () => {
    const books = await open()
    const kind = (await kindsOf(books)).find((one) => one.object === object)
    if (kind === undefined) throw new Error(object)
    const client = clientOf(books, kind)
    const mine: Array<number> = []
    let deletions = 0

    const happen = async (what: string, which: number) => {
      const target = mine[which % mine.length]
      if (what === "create" || target === undefined) {
        mine.push((await books.made("POST", kind.path, await kind.body())).id)
      } else if (what === "change") {
        if (kind.change !== null) await books.made("PUT", `${kind.path}/${target}`, kind.change(`${which}`))
      } else {
        const isBatch = what === "batch delete" && object !== "credit_note"
        const batch = `/batch/resources?resource=${kind.path.slice(1)}&ids=${target}`
        await books.made("DELETE", isBatch ? batch : `${kind.path}/${target}`)
        mine.splice(mine.indexOf(target), 1)
        deletions += 1
      }
    }

    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 15 }), async (happenings) => {
        for (const { what, which } of happenings) {
          if (what === "sync") await client.sync()
          else await happen(what, which)
        }
        await client.sync()
        const { rows } = await walked(books, kind.path, "")
        expect(byId(client.records.values())).toEqual(byId(rows))
      }),
      { numRuns: 8, seed: 1 }
    )
    expect(deletions).toBeGreaterThan(5)
    // A sync returns only what changed since the last one, not all records again.
    expect(await client.sync()).toEqual({ changed: 0, deleted: 0 })
    await happen("create", 0)
    await happen("delete", mine.length - 1)
    expect(await client.sync()).toEqual({ changed: 0, deleted: 1 })
  })

  it("gets an event about a deletion with the record as it was", async () => {
    const books = await open()
    const kind = (await kindsOf(books)).find((one) => one.object === object)
    const { id } = await books.made("POST", kind?.path ?? "", await kind?.body())
    const before = await books.made("GET", `${kind?.path}/${id}`)
    await books.made("DELETE", `${kind?.path}/${id}`)
    const { body } = await books.call("GET", "/events?per_page=100")
    const told = body.data.filter(({ type }: { readonly type: string }) => type === `${object}.deleted`)
    expect(told.map(({ data }: { readonly data: object }) => data)).toEqual([{ object, id, attributes: before }])
  })
})

describe("GET ?deleted=true", () => {
  it("pages, sorts and filters records as they were, and returns none of another organization", async () => {
    const [books, others] = [await open(), await open()]
    const ids: Array<number> = []
    for (const name of ["Gamma", "Delta", "Gamma 2"]) {
      const { id } = await books.made("POST", "/customers", { name })
      ids.push(id)
      await books.made("DELETE", `/customers/${id}`)
    }
    const [first = 0, second = 0, third = 0] = ids
    const found = async (query: string) => {
      const { body } = await books.call("GET", `/customers?deleted=true&${query}`)
      return [body.data.map(({ id }: Row) => id), body.meta.total]
    }
    expect(await found("")).toEqual([[first, second, third], 3])
    expect(await found("sort=-updated_at")).toEqual([[third, second, first], 3])
    expect(await found("sort=name")).toEqual([[second, first, third], 3])
    expect(await found("search=gamma")).toEqual([[first, third], 2])
    expect(await found("per_page=1&page=2")).toEqual([[second], 3])
    expect(await found("updated_since=2999-01-01T00:00:00Z")).toEqual([[], 0])
    expect((await others.call("GET", "/customers?deleted=true")).body.data).toEqual([])
    expect((await books.call("GET", "/customers?deleted=maybe")).status).toBe(422)
    const [all] = [await books.call("GET", "/customers?deleted=false")]
    expect(all.body.data.map(({ id }: Row) => id)).toEqual([books.customer_id])
  })

  it("answers the deleted contacts of a deleted customer, with an event for each", async () => {
    const books = await open()
    const customer = await books.made("POST", "/customers", { name: "Gamma" })
    const contact = await books.made("POST", "/contacts", { customer_id: customer.id, name: "Ann" })
    await books.made("DELETE", `/customers/${customer.id}`)
    const { body } = await books.call("GET", `/contacts?deleted=true&customer_id=${customer.id}`)
    expect(body.data).toEqual([{ id: contact.id, deleted_at: expect.stringMatching(/Z$/) }])
    const events = (await books.call("GET", "/events?per_page=100")).body.data.slice(-2)
    expect(events.map(({ type }: { readonly type: string }) => type)).toEqual(["contact.deleted", "customer.deleted"])
    expect(events[0].data.attributes).toEqual(contact)
  })

  it("answers the deleted invoices and quotes of one customer", async () => {
    const books = await open()
    const { id } = await books.draft()
    await books.made("DELETE", `/invoices/${id}`)
    for (const query of [
      "deleted=true",
      "deleted=true&cursor=",
      "deleted=true&search=beta",
      "deleted=yes&status=draft"
    ]) {
      const { body } = await books.call(
        "GET",
        `/customers/${books.customer_id}/invoices?${query.replace("&search=beta", "")}`
      )
      expect([query, body.data.map((row: Row) => row.id)]).toEqual([query, [id]])
      expect((await books.call("GET", `/invoices?${query}`)).body.data.map((row: Row) => row.id)).toEqual([id])
    }
    expect((await books.call("GET", `/customers/${books.customer_id}/quotes?deleted=true`)).body.data).toEqual([])
  })

  it("answers an empty list of records that are never deleted", async () => {
    const books = await open()
    for (const path of ["/einvoicing/invoices", "/einvoicing/received"]) {
      const numbered = await books.call("GET", `${path}?deleted=true`)
      expect([path, numbered.status, numbered.body.data, numbered.body.meta.total]).toEqual([path, 200, [], 0])
      const { body } = await books.call("GET", `${path}?deleted=true&updated_since=2026-01-01&cursor=`)
      expect([path, body.data, body.meta.next_cursor]).toEqual([path, [], null])
    }
  })

  it("uses an index of the deletions", async () => {
    for (const { path } of await kindsOf(await open())) {
      const table = path.slice(1).replace("-", "_")
      const index: unknown = await app.inDatabase(
        `select indexdef from pg_indexes where indexname = '${table}_deletions'`
      )
      expect([table, JSON.stringify(index)]).toEqual([
        table,
        expect.stringContaining("(organization_id, deleted_at, id)")
      ])
    }
  })
})
