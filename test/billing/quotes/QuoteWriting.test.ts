import { beforeAll, describe, expect, it } from "vitest"
import { line, race, statuses } from "../../support/Billing.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { type QuoteBooks, states, useQuotes } from "./QuoteBooks.ts"

const { app, eventsOf, expire, open } = useQuotes()
let books: QuoteBooks

beforeAll(async () => {
  books = await open({ rates: [21, 6] })
})

const put = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  books.call("PUT", `/quotes/${id}`, body, { headers })

describe("POST /api/v1/quotes", () => {
  it("answers 201 with a priced draft without a number, and quote.created", async () => {
    const { body, headers, status } = await books.call("POST", "/quotes", books.body({ notes: "n" }))
    expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
    const customer = { id: books.customer_id, name: "Beta" }
    const state = { status: "draft", number: null, draft_reference: `DRAFT-${body.data.id}`, sent_at: null }
    expect(body.data).toMatchObject({ ...state, customer, valid_until: "2999-03-31", notes: "n", terms: null })
    expect(body.data).toMatchObject({ subtotal: 100, tax_total: 21, total: 121, invoice_id: null, version: 1 })
    expect(await books.quote(body.data.id)).toEqual(body.data)
    const events = await eventsOf(books.id, body.data.id)
    expect(events.map(({ data, type }) => [type, data.attributes])).toEqual([["quote.created", body.data]])
  })

  it("answers 422 for missing and wrong values and for records of others, and writes nothing", async () => {
    const elsewhere = await open()
    const before = (await books.call("GET", "/quotes")).body.meta.total
    for (const [changes, field] of [
      [{ customer_id: undefined }, "customer_id"],
      [{ customer_id: elsewhere.customer_id }, "customer_id"],
      [{ issue_date: undefined }, "issue_date"],
      [{ valid_until: undefined }, "valid_until"],
      [{ valid_until: "2026-02-28" }, "valid_until"],
      [{ valid_until: "soon" }, "valid_until"],
      [{ currency: "EURO" }, "currency"],
      [{ items: undefined }, "items"],
      [{ items: [] }, "items"],
      [{ items: [line(-1)] }, "items"],
      [{ items: [line(1, { tax_rate_ids: elsewhere.tax_rate_ids })] }, "items.0.tax_rate_ids.0"],
      [{ notes: "n".repeat(5_001) }, "notes"]
    ] as const) {
      const { body, status } = await books.call("POST", "/quotes", books.body(changes))
      expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 422, [field]])
    }
    expect((await books.call("GET", "/quotes")).body.meta.total).toBe(before)
  })

  it("locks the organization's currency, and a refused one does not", async () => {
    const own = await open()
    const currency = (currency: string) => own.call("PUT", `/organizations/${own.id}`, { currency })
    await own.call("POST", "/quotes", own.body({ items: [] }))
    expect((await currency("USD")).status).toBe(200)
    const { id } = await own.quoted()
    await own.made("DELETE", `/quotes/${id}`)
    const refused = await currency("EUR")
    expect([refused.status, refused.body.code]).toEqual([422, "currency_locked"])
  })
})

describe("PUT /api/v1/quotes/{id}", () => {
  it("answers 200 with every field of a draft changed, under the next version", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gamma" })
    const draft = await books.quoted()
    const items = [line(10, { tax_rate_ids: [books.tax_rate_ids[1]] }), line(5, { tax_exempt: true })]
    const given = { customer_id, issue_date: "2026-04-01", valid_until: "2026-04-30", notes: "c", terms: "t", items }
    const { body, headers, status } = await put(draft.id, given)
    const { items: _, ...rest } = given
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    expect(body.data).toMatchObject({ ...rest, customer: { name: "Gamma" }, subtotal: 15, tax_total: 0.6, total: 15.6 })
    expect(await books.quote(draft.id)).toEqual(body.data)
    expect((await put(draft.id, {})).body.data).toEqual(body.data)
    expect((await put(draft.id, { currency: "JPY" })).body.data).toMatchObject({ currency: "JPY", total: 16 })
    expect((await put(draft.id, { notes: null })).body.data).toMatchObject({ notes: null, terms: "t", total: 16 })
  })

  it("at the same time, each with another customer, answers 200 to all", async () => {
    const { id } = await books.quoted()
    const customers = await race(8, () => books.made("POST", "/customers", { name: "Delta" }))
    const answers = await race(24, (index) => put(id, { customer_id: customers[index % 8]?.id }))
    expect(statuses(answers)).toEqual({ 200: 24 })
  })

  it("answers 422 where POST would and for number and status, and changes nothing", async () => {
    const draft = await books.quoted()
    for (const [changes, fields] of [
      [{ number: "QUO-1", status: "accepted" }, ["number", "status"]],
      [{ valid_until: "2026-02-28" }, ["valid_until"]],
      [{ customer_id: 999_999 }, ["customer_id"]],
      [{ items: [] }, ["items"]],
      [{ issue_date: null }, ["issue_date"]]
    ] as const) {
      const { body, status } = await put(draft.id, changes)
      expect([status, Object.keys(body.errors)]).toEqual([422, fields])
    }
    expect(await books.quote(draft.id)).toEqual(draft)
  })

  it("answers 412 to an If-Match of another version, and lets one of eight racing writers through", async () => {
    const { id } = await books.quoted()
    const refused = await put(id, { notes: "lost" }, { "if-match": '"v2"' })
    expect([refused.status, refused.body.details]).toEqual([412, { version: 1 }])
    const answers = await race(8, (index) => put(id, { notes: `writer ${index}` }, { "if-match": '"v1"' }))
    expect(statuses(answers)).toEqual({ 200: 1, 412: 7 })
    const gone = await books.call("DELETE", `/quotes/${id}`, undefined, { headers: { "if-match": '"v1"' } })
    expect([gone.status, (await books.quote(id)).version]).toEqual([412, 2])
  })

  it("never changes a quote under the customer who accepts it", async () => {
    for (let round = 0; round < 5; round++) {
      const draft = await books.quoted()
      const [changed, accepted] = await Promise.all([
        put(draft.id, { items: [line(1)] }),
        books.act(draft, "mark-accepted")
      ])
      expect([accepted.status, [200, 409]]).toEqual([200, expect.arrayContaining([changed.status])])
      const { status, total } = await books.quote(draft.id)
      expect([status, total]).toEqual(["accepted", accepted.body.data.total])
    }
  })
})

describe("DELETE /api/v1/quotes/{id}", () => {
  it("lets a member delete drafts of their own only", async () => {
    const { token } = await app.run(seedMember(books.id, "member"))
    const as = (method: string, path: string, body?: unknown) => books.call(method, path, body, { token })
    const { id } = (await as("POST", "/quotes", books.body())).body.data
    const foreign = await books.quoted()
    const rejected = (await as("POST", "/quotes", books.body())).body.data
    await books.done(rejected, "mark-rejected")
    for (const target of [foreign.id, rejected.id]) {
      expect((await as("DELETE", `/quotes/${target}`)).body).toMatchObject({ code: "forbidden" })
      expect((await books.quote(target)).id).toBe(target)
    }
    expect((await as("DELETE", `/quotes/${id}`)).status).toBe(200)
  })
})

describe("POST /api/v1/quotes/{id}/duplicate", () => {
  it("answers 201 with a draft of today, valid as many days, from any state", async () => {
    for (const state of states) {
      const given = { issue_date: "2026-03-01", valid_until: "2026-03-31", notes: "n", items: [line(50), line(3.3)] }
      const original = await books.inState(state === "sent" ? "accepted" : state, expire, given)
      const copy = await books.done(original, "duplicate")
      expect(copy).toMatchObject({ status: "draft", number: null, notes: "n", total: 64.49, version: 1 })
      expect(copy).toMatchObject({ sent_at: null, accepted_at: null, rejected_at: null, invoice_id: null })
      expect(Date.parse(copy.valid_until) - Date.parse(copy.issue_date)).toBe(30 * 86_400_000)
      expect(copy.items[0].id).not.toBe(original.items[0].id)
      expect(await books.quote(original.id)).toEqual(original)
    }
  })
})

describe("the number of a quote", () => {
  it("has no gap and no duplicate when sixteen callers accept forty quotes, a quarter refused", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Gone" })
    const drafts = []
    for (let index = 0; index < 40; index++) drafts.push(await own.quoted(index % 4 === 0 ? { customer_id } : {}))
    await own.made("DELETE", `/customers/${customer_id}`)
    const answers = await Promise.all(drafts.map((draft) => own.act(draft, "mark-accepted")))
    expect(statuses(answers)).toEqual({ 200: 30, 422: 10 })
    const numbers = new Set(answers.flatMap(({ body }) => body.data?.number ?? []))
    expect(numbers).toEqual(
      new Set(answers.slice(0, 30).map((_, index) => `QUO-2026-${String(index + 1).padStart(4, "0")}`))
    )
  })

  it("answers 422 when the organization's format results in a number that is in use, and leaves the draft", async () => {
    const own = await open({ settings: { invoice_number_format: "{PREFIX}{YY}-{SEQ:4}" } })
    await own.offered()
    const draft = await own.quoted({ issue_date: "2126-01-01" })
    for (const action of ["mark-accepted", "send", "convert-to-invoice"]) {
      const { body, status } = await own.act(draft, action)
      expect([action, status, body.code, body.details]).toEqual([action, 422, "number_taken", { number: "QUO26-0001" }])
    }
    expect(await own.quote(draft.id)).toEqual(draft)
    expect(await own.made("GET", "/invoices")).toEqual([])
  })

  it("is a series of its own beside the invoices'", async () => {
    const own = await open()
    await own.issued()
    expect((await own.offered()).number).toBe("QUO-2026-0001")
    expect((await own.issued()).number).toBe("INV-2026-0002")
  })

  it("keeps the customer from being deleted", async () => {
    const own = await open()
    await own.offered()
    const { body, status } = await own.call("DELETE", `/customers/${own.customer_id}`)
    expect([status, body.code]).toEqual([422, "customer_has_documents"])
  })
})
