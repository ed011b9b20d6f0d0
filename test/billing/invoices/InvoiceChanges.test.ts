import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, race, statuses, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open({ rates: [21, 6] })
})

const put = (id: number, body: unknown, headers: Record<string, string> = {}, by = books) =>
  by.call("PUT", `/invoices/${id}`, body, { headers })

/** Expects a refusal that changes nothing. */
const refusesPut = async (id: number, body: unknown, expected: object) => {
  const before = await books.invoice(id)
  const answer = await put(id, body)
  expect([answer.status, answer.body]).toMatchObject([422, expected])
  expect(await books.invoice(id)).toEqual(before)
  return answer.body
}

const invoiceIn = {
  sent: (changes: object = {}) => books.issued(changes),
  overdue: () => books.issued({ issue_date: "2020-01-01", due_date: "2020-01-31" }),
  partially_paid: async () => {
    const invoice = await books.issued()
    await books.pay(invoice, 21)
    return books.invoice(invoice.id)
  },
  paid: async () => (await books.paid()).invoice,
  credited: async () => {
    const { id } = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: id, amount: 121, reason: "Returned goods" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    return books.invoice(id)
  }
}
const states = ["sent", "overdue", "partially_paid", "paid", "credited"] as const

describe("PUT /api/v1/invoices/{id}", () => {
  it("answers 200 with every field of a draft changed, under the next version", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gamma" })
    const draft = await books.draft()
    const changes = {
      customer_id,
      issue_date: "2026-04-01",
      due_date: "2026-04-30",
      notes: "Changed",
      terms: "Net",
      exchange_rate: 2,
      items: [line(10, { tax_rate_ids: [books.tax_rate_ids[1]] }), line(5, { tax_exempt: true })]
    }
    const { body, headers, status } = await put(draft.id, changes)
    expect(status).toBe(200)
    const { items: _, ...rest } = changes
    expect(body.data).toMatchObject({ ...rest, customer: { name: "Gamma" }, subtotal: 15, tax_total: 0.6, total: 15.6 })
    expect(body.data.items.map((item: { position: number }) => item.position)).toEqual([1, 2])
    expect([body.data.version, headers.get("etag")]).toEqual([2, '"v2"'])
    expect(await books.invoice(draft.id)).toEqual(body.data)
  })

  it("at the same time, each with another customer, answers 200 to all", async () => {
    const { id } = await books.draft()
    const customers = await race(8, () => books.made("POST", "/customers", { name: "Delta" }))
    const answers = await race(24, (index) => put(id, { customer_id: customers[index % 8]?.id }))
    expect(statuses(answers)).toEqual({ 200: 24 })
  })

  it("leaves what the body does not name and clears notes, terms and exchange rate given null", async () => {
    const draft = await books.draft({ notes: "a", terms: "b", exchange_rate: 2 })
    const { body } = await put(draft.id, { notes: null })
    const { updated_at: _, ...unchanged } = draft
    expect(body.data).toMatchObject({ ...unchanged, notes: null, version: 2 })
    const cleared = await put(draft.id, { terms: null, exchange_rate: null })
    expect(cleared.body.data).toMatchObject({ notes: null, terms: null, exchange_rate: null })
  })

  it("prices the lines again in a new currency", async () => {
    const draft = await books.draft({ items: [line(10.5)] })
    const { body } = await put(draft.id, { currency: "JPY" })
    expect(body.data).toMatchObject({ currency: "JPY", subtotal: 11, tax_total: 2, total: 13 })
  })

  it("removes the exchange rate of the old currency, unless the body states a rate", async () => {
    const { id } = await books.draft({ currency: "USD", exchange_rate: 0.5 })
    const rateAfter = async (changes: object) => (await put(id, changes)).body.data.exchange_rate
    expect(await rateAfter({ currency: "USD", notes: "same" })).toBe(0.5)
    expect(await rateAfter({ currency: "JPY" })).toBeNull()
    expect(await rateAfter({ currency: "CHF", exchange_rate: 1.05 })).toBe(1.05)
    expect(await rateAfter({ currency: "GBP", exchange_rate: 1.05 })).toBe(1.05)
  })

  it("answers 422 for number and status, whatever else the body says", async () => {
    const { id } = await books.draft()
    const { errors } = await refusesPut(
      id,
      { number: "INV-1", status: "paid", notes: "x" },
      { code: "validation_failed" }
    )
    expect(errors).toEqual({
      number: ["The number field cannot be changed."],
      status: ["The status field cannot be changed."]
    })
  })

  it("answers 422 where POST would", async () => {
    const { id } = await books.draft()
    const elsewhere = await open()
    await refusesPut(id, { customer_id: elsewhere.customer_id }, { errors: { customer_id: [expect.any(String)] } })
    await refusesPut(id, { items: [] }, { errors: { items: [expect.any(String)] } })
    await refusesPut(id, { due_date: "2026-02-28" }, { errors: { due_date: [expect.any(String)] } })
    await refusesPut(id, { issue_date: null }, { errors: { issue_date: [expect.any(String)] } })
    await refusesPut(
      id,
      { items: [line(1, { tax_rate_ids: elsewhere.tax_rate_ids })] },
      { errors: { "items.0.tax_rate_ids.0": [expect.any(String)] } }
    )
  })

  it.each(states)("answers 422 invoice_locked for an invoice that is %s", async (state) => {
    const { id, number, status } = await invoiceIn[state]()
    expect(status).toBe(state)
    const details = { status: state, number }
    await refusesPut(id, { notes: "late" }, { code: "invoice_locked", details })
    await refusesPut(id, { items: [line(1)], due_date: "2999-12-31" }, { code: "invoice_locked", details })
  })

  it("moves the due date of an invoice that is sent, overdue or partially paid, but not of a paid or credited one", async () => {
    for (const state of ["sent", "overdue", "partially_paid"] as const) {
      const { id } = await invoiceIn[state]()
      const { body, status } = await put(id, { due_date: "2999-12-31" })
      expect([status, body.data.due_date, body.data.is_overdue]).toEqual([200, "2999-12-31", false])
    }
    for (const state of ["paid", "credited"] as const) {
      const { id } = await invoiceIn[state]()
      await refusesPut(id, { due_date: "2999-12-31" }, { code: "invoice_locked" })
    }
    const sent = await invoiceIn.sent()
    await refusesPut(sent.id, { due_date: "2026-02-28" }, { errors: { due_date: [expect.any(String)] } })
  })

  it("answers 412 to an If-Match of another version, and writes only over the one it names", async () => {
    const { id } = await books.draft()
    for (const match of ['"v2"', '"v10"', "v1", '""', "*, "]) {
      const refused = await put(id, { notes: "lost" }, { "if-match": match })
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        412,
        "precondition_failed",
        { version: 1 }
      ])
    }
    expect((await books.invoice(id)).notes).toBeNull()
    const versions = []
    for (const match of ['"v1"', '"v9", "v2"', 'W/"v3"', "*"]) {
      const { body, status } = await put(id, { notes: match }, { "if-match": match })
      expect(status).toBe(200)
      versions.push(body.data.version)
    }
    expect(versions).toEqual([2, 3, 4, 5])
  })

  it("lets one of eight racing writers of the same version through", async () => {
    const { id } = await books.draft()
    const answers = await race(8, (index) => put(id, { notes: `writer ${index}` }, { "if-match": '"v1"' }))
    expect(statuses(answers)).toEqual({ 200: 1, 412: 7 })
    const winner = answers.find(({ status }) => status === 200)
    expect(await books.invoice(id)).toEqual(winner?.body.data)
  })
})

describe("POST /api/v1/invoices/{id}/duplicate", () => {
  it("answers 201 with a draft of today and the same time to pay, from any state", async () => {
    const given = {
      issue_date: "2026-03-01",
      due_date: "2026-03-31",
      notes: "n",
      terms: "t",
      items: [line(50), line(3.3)]
    }
    const drafted = await books.draft(given)
    const sent = await books.send(await books.draft(given))
    for (const original of [drafted, sent, await books.invoice((await books.paid(given)).invoice.id)]) {
      const { body, headers, status } = await books.call("POST", `/invoices/${original.id}/duplicate`)
      expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
      const { data } = body
      expect(data).toMatchObject({ status: "draft", number: null, sent_at: null, amount_paid: 0, version: 1 })
      expect(data).toMatchObject({ notes: "n", terms: "t", subtotal: 53.3, tax_total: 11.19, total: 64.49 })
      expect(Date.parse(data.due_date) - Date.parse(data.issue_date)).toBe(30 * 86_400_000)
      expect(Math.abs(Date.parse(data.issue_date) - Date.now())).toBeLessThan(2 * 86_400_000)
      expect(data.id).not.toBe(original.id)
      expect(data.items[0].id).not.toBe(original.items[0].id)
      expect(await books.invoice(original.id)).toEqual(original)
    }
  })

  it("does not copy the exchange rate, which is that of another day", async () => {
    const { id } = await books.draft({ currency: "USD", exchange_rate: 0.9 })
    const copy = await books.made("POST", `/invoices/${id}/duplicate`)
    expect([copy.currency, copy.exchange_rate]).toEqual(["USD", null])
  })

  it("answers 422 when the customer was deleted since", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gone" })
    const { id } = await books.draft({ customer_id })
    await books.made("DELETE", `/customers/${customer_id}`)
    const total = async () => (await books.call("GET", "/invoices?per_page=1")).body.meta.total
    const before = await total()
    const { body, status } = await books.call("POST", `/invoices/${id}/duplicate`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ["customer_id"]])
    expect(await total()).toBe(before)
  })

  it("is due on the last calendar day at the latest", async () => {
    const { id } = await books.draft({ issue_date: "1900-01-01", due_date: "9999-12-31" })
    const { body, status } = await books.call("POST", `/invoices/${id}/duplicate`)
    expect([status, body.data?.due_date]).toEqual([201, "9999-12-31"])
  })
})

/** Columns that may change after the issue. The database itself computes `state`. */
const changeable = [
  "due_date",
  "amount_paid",
  "amount_refunded",
  "amount_credited",
  "sent_at",
  "sent_method",
  "paid_at",
  "updated_at",
  "version",
  "state",
  "announced_due_date",
  "created_by",
  "external_id",
  "metadata"
]

describe("the database", () => {
  it("seals all columns of an issued invoice but those that its payments and sendings change", async () => {
    const { id } = await books.issued()
    const columns = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ name: string; sealed: boolean }>`
          select attname::text as name, attnum = any (tgattr::smallint[]) as sealed
          from pg_attribute join pg_trigger on tgrelid = attrelid and tgname = 'invoices_sealed'
          where attrelid = 'invoices'::regclass and attnum > 0 and not attisdropped order by attname`
      )
    )
    const unsealed = columns.flatMap(({ name, sealed }) => (sealed ? [] : [name]))
    expect(unsealed).toEqual(changeable.toSorted())
    const change = (assignment: string) => app.inDatabase(`update invoices set ${assignment} where id = ${id}`)
    await change("due_date = due_date + 1, updated_at = now()")
    for (const assignment of ["total = total + 1", "items = '[]'", "notes = 'other'", "issued_at = now()"]) {
      await expect(change(assignment), assignment).rejects.toThrow()
    }
  })
})
