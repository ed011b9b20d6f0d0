import { expect, it } from "vitest"
import { useApp } from "../../support/App.ts"

const app = useApp()

/** Inserts events with the given number of MiB each; the database stores them compressed. */
const withEvents = async (count: number, size: number) => {
  const { id, owner } = await app.organization()
  await app.inDatabase(`insert into outbox (organization_id, sequence, event_id, type, occurred_at, data, relayed_at)
    select ${id}, n, 'evt_${id}_' || n, case when n % 2 = 0 then 'quote.created' else 'customer.created' end, now(),
      json_build_object('object', 'customer', 'id', n, 'attributes', json_build_object('notes',
        repeat('x', ${size} * 1024 * 1024))), now()
    from generate_series(1, ${count}) n`)
  return async (query: string) => {
    const { body, text } = await app.call("GET", `/api/v1/events?${query}`, { token: owner.token, organization: id })
    const { has_more, next_after } = body.meta
    const found: ReadonlyArray<number> = body.data.map(({ sequence }: { sequence: number }) => sequence)
    return { found, has_more, next_after, length: text.length }
  }
}

it("GET /api/v1/events ends a page after 8 MiB, and the next page continues without a gap", async () => {
  const list = await withEvents(7, 3)
  const seen: Array<number> = []
  let after = 0
  for (let has_more = true; has_more;) {
    const page = await list(`per_page=100&after=${after}`)
    expect(page.found.length).toBeLessThanOrEqual(3)
    expect(page.length).toBeLessThan(10 * 1024 * 1024)
    seen.push(...page.found)
    ;({ has_more, next_after: after } = page)
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(after).toBe(7)
})

it("GET /api/v1/events ends a page of the given names after 8 MiB, too", async () => {
  const list = await withEvents(10, 3)
  expect(await list("per_page=100&types=quote.created")).toMatchObject({
    found: [2, 4, 6],
    next_after: 6,
    has_more: true
  })
  expect(await list("per_page=2&types=quote.created")).toMatchObject({ found: [2, 4], next_after: 4, has_more: true })
  expect(await list("types=quote.created&after=6")).toMatchObject({ found: [8, 10], next_after: 10, has_more: false })
})

it("GET /api/v1/events answers an event of more than 8 MiB alone", async () => {
  const list = await withEvents(2, 9)
  expect(await list("per_page=100")).toMatchObject({ found: [1], next_after: 1, has_more: true })
  expect(await list("per_page=100&after=1")).toMatchObject({ found: [2], next_after: 2, has_more: false })
})
