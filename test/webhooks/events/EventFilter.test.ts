import { expect, it } from "vitest"
import { useApp } from "../../support/App.ts"

const app = useApp()

/** Inserts events into the outbox of a new organization: customers, and a quote at each of the given numbers. */
const withEvents = async (count: number, ...quotes: ReadonlyArray<number>) => {
  const { id, owner } = await app.organization()
  await app.inDatabase(`insert into outbox (organization_id, sequence, event_id, type, occurred_at, data, relayed_at)
    select ${id}, n, 'evt_${id}_' || n,
      case when n in (${quotes.join()}) then 'quote.created' else 'customer.created' end, now(),
      '{"object": "customer", "id": 1, "attributes": {}}', now()
    from generate_series(1, ${count}) n`)
  return async (query: string) => {
    const { body, status } = await app.call("GET", `/api/v1/events?${query}`, { token: owner.token, organization: id })
    if (status !== 200) return [status, body.errors]
    const { has_more, next_after } = body.meta
    return [body.data.map(({ sequence }: { sequence: number }) => sequence), next_after, has_more]
  }
}

it("GET /api/v1/events answers only the events with the given names, with their own sequence numbers", async () => {
  const list = await withEvents(20, 3, 7, 12)
  expect(await list("types=quote.created")).toEqual([[3, 7, 12], 20, false])
  expect(await list("types=quote.created,quote.created&per_page=2")).toEqual([[3, 7], 7, true])
  expect(await list("types=quote.created&after=7")).toEqual([[12], 20, false])
  expect(await list("types=quote.created,customer.created&per_page=3")).toEqual([[1, 2, 3], 3, true])
  expect(await list("types=invoice.paid")).toEqual([[], 20, false])
  expect(await list("after=25")).toEqual([[], 25, false])
})

it("GET /api/v1/events searches 5,000 events in one request, and continues after them in the next one", async () => {
  const list = await withEvents(12_000, 5_000, 5_001, 11_000)
  expect(await list("types=quote.created")).toEqual([[5_000], 5_000, true])
  expect(await list("types=quote.created&after=5000")).toEqual([[5_001], 10_000, true])
  expect(await list("types=quote.created&after=10000")).toEqual([[11_000], 12_000, false])
  await app.inDatabase("delete from outbox where sequence <= 6000")
  expect(await list("types=quote.created")).toEqual([[11_000], 11_000, true])
})

it.each(["invoice.eaten", "invoice.paid,", "invoice.paid,*"])("answers 422 to the types %j", async (types) => {
  const list = await withEvents(1, 1)
  expect(await list(`types=${types}`)).toEqual([
    422,
    { types: ["The types field must be events of the catalog, separated by commas."] }
  ])
})
