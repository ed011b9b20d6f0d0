import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { line, race, statuses } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { type QuoteBooks, useQuotes } from "./QuoteBooks.ts"

const { app, open } = useQuotes()
let books: QuoteBooks

beforeAll(async () => {
  books = await open({ rates: [21, 6], settings: { default_payment_terms_days: 14 } })
})

const withoutId = (items: ReadonlyArray<object>) => items.map((item) => ({ ...item, id: null }))

describe("POST /api/v1/quotes/{id}/convert-to-invoice", () => {
  it("answers 201 with a draft invoice of today on the usual terms, with the quote's lines and texts", async () => {
    const items = [line(33.33, { quantity: 3, discount: 10 }), line(5, { tax_rate_ids: [books.tax_rate_ids[1]] })]
    const quote = await books.offered({ items, notes: "n", terms: "t" })
    const { body, headers, status } = await books.act(quote, "convert-to-invoice")
    expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
    const invoice = body.data
    const { currency, customer, discount_total, subtotal, tax_breakdown, tax_total, total } = quote
    expect(invoice).toMatchObject({ currency, customer, discount_total, subtotal, tax_breakdown, tax_total, total })
    const state = { status: "draft", number: null, amount_paid: 0 }
    expect(invoice).toMatchObject({ ...state, quote_id: quote.id, notes: "n", terms: "t" })
    expect(withoutId(invoice.items)).toEqual(withoutId(quote.items))
    expect(Date.parse(invoice.due_date) - Date.parse(invoice.issue_date)).toBe(14 * 86_400_000)
    expect(Math.abs(Date.parse(invoice.issue_date) - Date.now())).toBeLessThan(2 * 86_400_000)
    expect(await books.invoice(invoice.id)).toEqual(invoice)
    expect(await books.quote(quote.id)).toMatchObject({ status: "converted", invoice_id: invoice.id, version: 4 })
  })

  it("keeps the rates that were offered, whatever became of them since", async () => {
    const own = await open({ rates: [21] })
    const quote = await own.offered()
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update tax_rates set rate = 25, is_default = false, archived_at = now()
                     where organization_id = ${own.id}`
      )
    )
    const invoice = await own.done(quote, "convert-to-invoice")
    expect([invoice.tax_total, invoice.items[0].tax_rates[0].rate]).toEqual([21, 21])
    expect(invoice.tax_breakdown).toEqual(quote.tax_breakdown)
  })

  it("makes one invoice when ten callers race, and leaves invoice.created and one audit entry", async () => {
    const own = await open()
    const quote = await own.offered()
    const answers = await race(10, () => own.act(quote, "convert-to-invoice"))
    expect(statuses(answers)).toEqual({ 201: 1, 422: 9 })
    const [made] = await own.made("GET", "/invoices")
    for (const { body, status } of answers) {
      if (status === 422) expect(body).toMatchObject({ code: "already_converted", details: { invoice_id: made.id } })
    }
    expect(await own.made("GET", "/invoices")).toHaveLength(1)
    const { entries, events } = await app.run(verifiedAuditLog(own.id))
    const created = events.filter(({ type }) => type === "invoice.created")
    expect(created.map(({ data }) => [data.id, data.attributes["quote_id"]])).toEqual([[made.id, quote.id]])
    expect(entries.filter(({ action }) => action === "quote.converted").map(({ data }) => data)).toEqual([
      { quote_id: quote.id, number: quote.number, invoice_id: made.id }
    ])
  })

  it("is once while there is an invoice; deleting a duplicate of the invoice changes nothing", async () => {
    const quote = await books.offered()
    const invoice = await books.done(quote, "convert-to-invoice")
    const copy = await books.made("POST", `/invoices/${invoice.id}/duplicate`)
    expect(copy.quote_id).toBeNull()
    await books.made("DELETE", `/invoices/${copy.id}`)
    const { body, status } = await books.act(quote, "convert-to-invoice")
    expect([status, body.code, body.details]).toEqual([422, "already_converted", { invoice_id: invoice.id }])
  })

  it.each(["issue", "create"])("is undone when the draft is deleted (numbers at %s)", async (invoice_number_on) => {
    const own = await open({ settings: { invoice_number_on } })
    const accepted = await own.offered()
    await own.done(accepted, "mark-accepted")
    for (const [quote, status] of [
      [await own.quoted(), "draft"],
      [await own.offered(), "sent"],
      [accepted, "accepted"]
    ] as const) {
      const first = await own.done(quote, "convert-to-invoice")
      const { number, version } = await own.made("GET", `/quotes/${quote.id}`)
      await race(3, () => own.call("DELETE", `/invoices/${first.id}`))
      const again = { status, number, invoice_id: null, converted_at: null, version: version + 1 }
      expect(await own.made("GET", `/quotes/${quote.id}`)).toMatchObject(again)
      const second = await own.done(quote, "convert-to-invoice")
      expect(second.id).toBeGreaterThan(first.id)
      expect((await own.act(quote, "convert-to-invoice")).body.details).toEqual({ invoice_id: second.id })
    }
    const { entries } = await app.run(verifiedAuditLog(own.id))
    expect(entries.filter(({ action }) => action === "quote.conversion_undone")).toHaveLength(3)
  })

  it("is undone for all quotes of drafts that an atomic batch deletes, while others change them", async () => {
    const own = await open()
    const quotes = await Promise.all([1, 2, 3].map(() => own.offered()))
    const drafts = await Promise.all(quotes.map((quote) => own.done(quote, "convert-to-invoice")))
    const ids = drafts.map(({ id }) => `ids[]=${id}`).join("&")
    const [removed] = await Promise.all([
      own.call("DELETE", `/batch/resources?resource=invoices&atomic=true&${ids}`),
      ...quotes.map(({ id }) => own.call("PUT", `/quotes/${id}`, { metadata: { touched: "yes" } }))
    ])
    expect(removed.status).toBe(200)
    for (const { id } of quotes) expect((await own.made("GET", `/quotes/${id}`)).status).toBe("sent")
  })

  it("requires the scope quotes:convert, and changes nothing without it", async () => {
    const quote = await books.offered()
    const { token } = await app.run(seedMember(books.id, "owner", ["quotes:write", "quotes:read", "invoices:write"]))
    const { body, status } = await books.call("POST", `/quotes/${quote.id}/convert-to-invoice`, undefined, { token })
    expect([status, body.required_scope]).toEqual([403, "quotes:convert"])
    expect(await books.quote(quote.id)).toEqual(quote)
  })

  it("becomes a paid invoice", async () => {
    const quote = await books.offered()
    await books.done(quote, "mark-accepted")
    const { id } = await books.done(quote, "convert-to-invoice")
    const paid = await books.made("POST", `/invoices/${id}/mark-paid`)
    expect(paid).toMatchObject({ status: "paid", quote_id: quote.id, balance_due: 0 })
  })
})
