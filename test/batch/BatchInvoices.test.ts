import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, race, statuses, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const create = (invoices: unknown, further: object = {}, on = books) =>
  on.call("POST", "/batch/invoices/create", { invoices, ...further })
const update = (updates: unknown, further: object = {}, on = books) =>
  on.call("POST", "/batch/invoices/update", { updates, ...further })

const written = (id = books.id) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        select (select json_agg(i order by id) from invoices i where organization_id = ${id})::text as invoices,
          (select json_agg(t order by t::text) from invoice_tallies t where organization_id = ${id} and count > 0)::text
            as tallies,
          (select j::text from journals j where organization_id = ${id}) as journal,
          (select count(*) from outbox where organization_id = ${id}) as events`
      return row
    })
  )

describe("POST /api/v1/batch/invoices/create", () => {
  it("answers 201 with a result per position, each with the invoice as GET answers it and external_id", async () => {
    const { body, status } = await create([
      books.body({ external_id: "A-1" }),
      { ...books.body(), customer_id: undefined, external_id: "A-2" },
      books.body({ items: [line(10), line(20)], notes: "third" })
    ])
    expect([status, body.success]).toEqual([201, true])
    expect(body.data.summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
    const [first, second, third] = body.data.results
    expect(first).toEqual({
      index: 0,
      status: "succeeded",
      http_status: 201,
      id: first.data.id,
      external_id: "A-1",
      data: await books.invoice(first.data.id),
      error: null
    })
    expect(second).toEqual({
      index: 1,
      status: "failed",
      http_status: 422,
      id: null,
      external_id: "A-2",
      data: null,
      error: {
        code: "validation_failed",
        message: "The customer_id field is required.",
        errors: { "invoices.1.customer_id": ["The customer_id field is required."] }
      }
    })
    expect(third).toMatchObject({ index: 2, status: "succeeded", external_id: null, data: { notes: "third" } })
  })

  it("reports errors of an element by their path from the root of the request, whatever refuses it", async () => {
    const { body, status } = await create([
      books.body({ items: [line(10, { quantity: 0 }), line(10, { tax_rate_ids: [1, "x"] })], due_date: "never" }),
      books.body({ customer_id: 999_999, items: [line(10, { tax_rate_ids: [999_999] })] }),
      books.body({ external_id: "x".repeat(256) }),
      books.body({ issue_date: "2026-03-02", due_date: "2026-03-01" }),
      "not an object",
      null,
      books.body({ items: [line(-5)] }),
      books.body()
    ])
    expect(status).toBe(201)
    const errors = body.data.results.map(({ error }: { error: { errors: object } | null }) =>
      Object.keys(error?.errors ?? {}).toSorted()
    )
    expect(errors).toEqual([
      ["invoices.0.due_date", "invoices.0.items.0.quantity", "invoices.0.items.1.tax_rate_ids.1"],
      ["invoices.1.customer_id", "invoices.1.items.0.tax_rate_ids.0"],
      ["invoices.2.external_id"],
      ["invoices.3.due_date"],
      ["invoices.4"],
      ["invoices.5"],
      ["invoices.6.items"],
      []
    ])
  })

  it("answers 422 with the results when every item fails, and changes nothing", async () => {
    const before = await written()
    const { body, status } = await create([{}, books.body({ currency: "XXX" })])
    expect([status, body.success, body.code]).toEqual([422, false, "batch_failed"])
    expect(body.data.summary).toEqual({ total: 2, succeeded: 0, failed: 2 })
    expect(body.data.results.map(({ status }: { status: string }) => status)).toEqual(["failed", "failed"])
    expect(await written()).toEqual(before)
  })

  it("creates all or nothing when atomic: 422 with all results, and nothing is left", async () => {
    const before = await written()
    const items = [books.body({ external_id: "a" }), {}, books.body({ customer_id: 999_999 }), books.body()]
    const { body, status } = await create(items, { atomic: true })
    expect([status, body.data.summary]).toEqual([422, { total: 4, succeeded: 0, failed: 4 }])
    const shown = body.data.results.map(
      ({ error, external_id, http_status, id }: { [key: string]: unknown } & { error: { code: string } }) => [
        http_status,
        id,
        external_id,
        error.code
      ]
    )
    expect(shown).toEqual([
      [424, null, "a", "rolled_back"],
      [422, null, null, "validation_failed"],
      [422, null, null, "validation_failed"],
      [424, null, null, "rolled_back"]
    ])
    expect(await written()).toEqual(before)
    const done = await create([books.body(), books.body()], { atomic: true })
    expect([done.status, done.body.data.summary.succeeded]).toEqual([201, 2])
  })

  it("begins no number series for a batch that is too large or whose items are malformed", async () => {
    const other = await open()
    await other.made("PUT", `/organizations/${other.id}`, { settings: [{ key: "invoice_number_on", value: "create" }] })
    const invoices = Array.from({ length: 101 }, (_, index) => other.body({ issue_date: `${1900 + index}-01-01` }))
    for (const atomic of [false, true]) expect((await create(invoices, { atomic }, other)).status).toBe(422)
    const malformed = invoices.slice(1).map((body) => ({ ...body, items: [] }))
    for (const atomic of [false, true]) expect((await create(malformed, { atomic }, other)).status).toBe(422)
    expect(await app.inDatabase(`select from document_counters where organization_id = ${other.id}`)).toEqual([])
    const two = await create([other.body(), other.body({ issue_date: "2025-12-31" })], {}, other)
    expect(two.body.data.results.map(({ data }: { data: { number: string } }) => data.number)).toEqual([
      expect.stringMatching(/2026-0001$/),
      expect.stringMatching(/2025-0001$/)
    ])
  })

  it("accepts 100 items, answers 422 batch_too_large to 101, and 422 to an empty or invalid list", async () => {
    const large = await create(Array.from({ length: 100 }, () => books.body()))
    expect([large.status, large.body.data.summary.succeeded]).toEqual([201, 100])
    const before = await written()
    const refused = await create(Array.from({ length: 101 }, () => books.body()))
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "batch_too_large",
      { max: 100, given: 101 }
    ])
    for (const invoices of [[], undefined, "x", {}, null]) {
      const { body, status } = await create(invoices)
      expect([invoices, status, Object.keys(body.errors)]).toEqual([invoices, 422, ["invoices"]])
    }
    const unclear = await create([books.body()], { atomic: "maybe" })
    expect([unclear.status, Object.keys(unclear.body.errors)]).toEqual([422, ["atomic"]])
    expect(await written()).toEqual(before)
  })

  it("repeats its answer for the same Idempotency-Key and creates nothing twice", async () => {
    const headers = { "idempotency-key": "b" }
    const invoices = [books.body(), {}]
    const first = await books.call("POST", "/batch/invoices/create", { invoices }, { headers })
    const second = await books.call("POST", "/batch/invoices/create", { invoices }, { headers })
    expect([first.status, second.status, second.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"])
    expect(second.body).toEqual(first.body)
  })

  it("locks the currency of a new organization with its first invoice, and counts every one", async () => {
    const fresh = await open()
    expect((await create([fresh.body(), fresh.body()], {}, fresh)).status).toBe(201)
    const changed = await fresh.call("PUT", `/organizations/${fresh.id}`, { currency: "USD" })
    expect(changed.status).toBe(422)
    expect((await fresh.call("GET", "/invoices")).body.meta.total).toBe(2)
  })
})

describe("POST /api/v1/batch/invoices/update", () => {
  it("answers 200 with the changed invoices, each by the rules of PUT", async () => {
    const theirs = await (await open()).draft()
    const [draft, other, sent] = [await books.draft(), await books.draft(), await books.issued()]
    const { body, status } = await update([
      { id: draft.id, notes: "changed", external_id: "u-1" },
      { id: sent.id, notes: "changed" },
      { id: theirs.id, notes: "changed" },
      { id: "x", notes: "changed" },
      { notes: "changed" },
      { id: draft.id, notes: "again" },
      { id: other.id, status: "paid" }
    ])
    expect([status, body.data.summary]).toEqual([200, { total: 7, succeeded: 1, failed: 5 }])
    const shown = body.data.results.map(
      ({ error, http_status, id, status }: { [key: string]: unknown } & { error: { code: string } | null }) => [
        status,
        http_status,
        id,
        error?.code ?? null
      ]
    )
    expect(shown).toEqual([
      ["succeeded", 200, draft.id, null],
      ["failed", 422, sent.id, "invoice_locked"],
      ["failed", 404, theirs.id, "not_found"],
      ["failed", 422, null, "validation_failed"],
      ["failed", 422, null, "validation_failed"],
      ["duplicate", 208, draft.id, null],
      ["failed", 422, other.id, "validation_failed"]
    ])
    expect(body.data.results[0]).toMatchObject({ external_id: "u-1", data: await books.invoice(draft.id) })
    expect(body.data.results[1].error.details).toEqual({ status: "sent", number: sent.number })
    expect(body.data.results[3].error.errors).toEqual({ "updates.3.id": ["The id field must be a number."] })
    expect(body.data.results[6].error.errors).toEqual({ "updates.6.status": ["The status field cannot be changed."] })
    expect((await books.invoice(draft.id)).notes).toBe("changed")
    expect((await books.invoice(sent.id)).notes).toBeNull()
  })

  it("changes all or nothing when atomic", async () => {
    const [one, two] = [await books.draft(), await books.issued()]
    const before = await written()
    const refused = await update(
      [
        { id: one.id, notes: "x" },
        { id: two.id, notes: "x" }
      ],
      { atomic: true }
    )
    expect(refused.status).toBe(422)
    expect(refused.body.data.results.map((result: { http_status: number }) => result.http_status)).toEqual([424, 422])
    expect(await written()).toEqual(before)
  })

  it("waits without deadlock when atomic batches change the same invoices in opposite orders", async () => {
    const drafts = await Promise.all(Array.from({ length: 10 }, () => books.draft()))
    const answers = await race(24, (index) => {
      const notes = `race ${index}`
      const changes = drafts.map(({ id }) => ({ id, notes }))
      if (index % 3 === 0) return books.call("PUT", `/invoices/${drafts[index % 10]?.id}`, { notes })
      const updates = index % 2 === 0 ? changes : changes.toReversed()
      return index % 3 === 1
        ? update(updates, { atomic: true })
        : books.call("POST", "/batch/invoices/update", { updates }, { headers: { "idempotency-key": `race-${index}` } })
    })
    expect(statuses(answers)).toEqual({ 200: 24 })
  })
})
