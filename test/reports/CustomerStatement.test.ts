import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Books, line, paymentBody, useBilling } from "../support/Billing.ts"
import { unseal } from "../support/Seals.ts"

const { app, open } = useBilling()

const statementOf = (books: Books, query: string, customer = books.customer_id) =>
  books.call("GET", `/customers/${customer}/statement?${query}`)
const between = async (books: Books, start: string, end: string) => {
  const { body, status } = await statementOf(books, `start_date=${start}&end_date=${end}`)
  expect(status).toBe(200)
  return body.data
}

/** Converts an amount to cents, so that sums are exact. */
const cents = (text: string) => Math.round(Number(text) * 100)

const setCreatedAt = (refund_id: number, at: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* unseal("payment_refunds")
      yield* sql`update payment_refunds set refund_date = null, created_at = ${at}::timestamptz where id = ${refund_id}`
    })
  )

const pay = (books: Books, id: number, amount: number, payment_date: string) =>
  books.made("POST", "/payments", paymentBody(id, amount, { payment_date }))

const refund = async (books: Books, payment: { id: number }, amount: number, at: string) => {
  const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount, reason: "Returned" })
  const id = refunds.at(-1).id
  await setCreatedAt(id, at)
  return id
}

const days = (step: number) => new Date(Date.UTC(2026, 0, 1 + step)).toISOString().slice(0, 10)

describe("GET /api/v1/customers/{id}/statement", () => {
  it("adds up invoices, payments and refunds in order, without drafts and deleted payments", async () => {
    const books = await open()
    const before = await books.issued({ issue_date: "2025-12-01", items: [line(100)] })
    await pay(books, before.id, 21, "2025-12-31")
    const invoice = await books.issued({ issue_date: "2026-01-10", items: [line(200)] })
    await books.draft({ issue_date: "2026-01-11" })
    const payment = await pay(books, invoice.id, 242, "2026-01-10")
    const refunded = await refund(books, payment, 42, "2026-02-01T10:00:00Z")
    const gone = await pay(books, before.id, 1, "2026-02-02")
    await books.made("DELETE", `/payments/${gone.id}`)
    await books.issued({ issue_date: "2026-04-01" })
    expect(await between(books, "2026-01-01", "2026-03-31")).toEqual({
      customer: { id: books.customer_id, name: "Beta" },
      start_date: "2026-01-01",
      end_date: "2026-03-31",
      currency: "EUR",
      opening_balance: "100.00",
      entries: [
        {
          date: "2026-01-10",
          type: "invoice",
          id: invoice.id,
          number: invoice.number,
          description: "Invoice",
          debit: "242.00",
          credit: "0.00",
          balance: "342.00",
          currency: "EUR",
          amount: "242.00"
        },
        {
          date: "2026-01-10",
          type: "payment",
          id: payment.id,
          number: null,
          description: "bank_transfer",
          debit: "0.00",
          credit: "242.00",
          balance: "100.00",
          currency: "EUR",
          amount: "242.00"
        },
        {
          date: "2026-02-01",
          type: "refund",
          id: refunded,
          number: null,
          description: "Returned",
          debit: "42.00",
          credit: "0.00",
          balance: "142.00",
          currency: "EUR",
          amount: "42.00"
        }
      ],
      totals: { invoiced: "242.00", paid: "242.00", credited: "0.00", refunded: "42.00" },
      closing_balance: "142.00",
      unconverted: []
    })
  })

  it("lists a sent credit note by its date, between invoices and payments, but no draft", async () => {
    const books = await open()
    const invoice = await books.issued({ issue_date: "2026-01-01" })
    const credit = (amount: number) =>
      books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount, reason: "Returned" })
    const note = await credit(21)
    await credit(1)
    const to = { recipients: ["ap@beta.example"], attach_pdf: false }
    const sent = await books.made("POST", `/credit-notes/${note.id}/send`, to)
    const today = sent.issue_date
    const later = await books.issued({ issue_date: today })
    await pay(books, invoice.id, 100, today)
    const { closing_balance, entries, totals } = await between(books, "2026-01-01", today)
    expect(entries.map(({ type }: { type: string }) => type)).toEqual(["invoice", "invoice", "credit_note", "payment"])
    expect(entries[2]).toEqual({
      date: today,
      type: "credit_note",
      id: note.id,
      number: sent.number,
      description: "Credit note",
      debit: "0.00",
      credit: "21.00",
      balance: "221.00",
      currency: "EUR",
      amount: "21.00"
    })
    expect(totals).toEqual({ invoiced: "242.00", paid: "100.00", credited: "21.00", refunded: "0.00" })
    expect(closing_balance).toBe((later.balance_due + (await books.invoice(invoice.id)).balance_due).toFixed(2))
  })

  it("dates a refund of an earlier version in the organization's time zone", async () => {
    const books = await open({ timezone: "Pacific/Kiritimati" })
    const { payment } = await books.paid({ issue_date: "2026-01-01" })
    await refund(books, payment, 1, "2026-04-01T10:30:00Z")
    const { entries } = await between(books, "2026-04-01", "2026-04-30")
    expect(entries.filter(({ type }: { type: string }) => type === "refund")).toMatchObject([{ date: "2026-04-02" }])
  })

  it("converts other currencies at the document's rate, with an exact remainder, and guesses no rate", async () => {
    const books = await open()
    const rated = { currency: "USD", exchange_rate: 0.9173, items: [line(100, { tax_exempt: true })] }
    const dollars = await books.issued({ ...rated, issue_date: "2026-01-01" })
    for (const [day, amount] of [33.33, 33.33, 33.34].entries())
      await pay(books, dollars.id, amount, `2026-01-0${day + 2}`)
    const yen = await books.issued({ currency: "JPY", items: [line(1000)], issue_date: "2026-01-05" })
    const paid = await pay(books, yen.id, 10, "2026-01-06")
    const { closing_balance, entries, totals, unconverted } = await between(books, "2026-01-01", "2026-01-31")
    expect(entries[0]).toMatchObject({ debit: "91.73", amount: "100.00", currency: "USD" })
    expect(entries.map(({ balance }: { balance: string }) => balance)).toEqual(["91.73", "61.16", "30.58", "0.00"])
    expect([closing_balance, totals.invoiced, totals.paid]).toEqual(["0.00", "91.73", "91.73"])
    expect(unconverted).toEqual([
      {
        date: "2026-01-05",
        type: "invoice",
        id: yen.id,
        number: yen.number,
        description: "Invoice",
        currency: "JPY",
        amount: "1210"
      },
      {
        date: "2026-01-06",
        type: "payment",
        id: paid.id,
        number: null,
        description: "bank_transfer",
        currency: "JPY",
        amount: "10"
      }
    ])
  })

  it("formats amounts with the decimals of the organization's currency", async () => {
    const books = await open({ currency: "BHD" })
    await books.issued({ currency: "BHD", issue_date: "2026-01-01", items: [line("8.645", { tax_exempt: true })] })
    expect((await between(books, "2026-01-01", "2026-12-31")).closing_balance).toBe("8.645")
    const yen = await open({ currency: "JPY" })
    await yen.issued({ currency: "JPY", issue_date: "2026-01-01" })
    expect((await between(yen, "2026-01-01", "2026-12-31")).closing_balance).toBe("121")
    expect((await between(yen, "2027-01-01", "2027-12-31")).opening_balance).toBe("121")
  })

  it("closes each period with the next opening balance, for any split, at the sum of invoice balances", async () => {
    const books = await open()
    let seed = 20_260_301
    const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max
    const issued: Array<number> = []
    for (let count = 0; count < 25; count++) {
      const foreign = random(3) === 0 ? { currency: "USD", exchange_rate: (910 + random(100)) / 1000 } : {}
      const start = random(240)
      const invoice = await books.issued({
        issue_date: days(start),
        items: [line((1 + random(99_999)) / 100), line((1 + random(9_999)) / 100, { tax_exempt: true })],
        ...foreign
      })
      issued.push(invoice.id)
      for (let left = random(3); left > 0; left--) {
        const { balance_due } = await books.invoice(invoice.id)
        if (balance_due < 1) break
        const amount = Math.round(balance_due * (1 + random(100))) / 100
        const payment = await pay(books, invoice.id, Math.min(amount, balance_due), days(start + random(60)))
        if (random(3) === 0) {
          const part = Math.max(1, Math.floor(payment.amount * 50)) / 100
          await refund(books, payment, part, `${days(start + 60 + random(60))}T12:00:00Z`)
        }
      }
    }
    const whole = await between(books, days(0), days(364))
    expect([whole.opening_balance, whole.unconverted]).toEqual(["0.00", []])
    for (let round = 0; round < 15; round++) {
      const cuts = Array.from({ length: 1 + random(6) }, () => random(364)).toSorted((a, b) => a - b)
      const bounds = [-1, ...new Set(cuts), 364]
      let carried = "0.00"
      const entries: Array<unknown> = []
      for (const [index, end] of bounds.slice(1).entries()) {
        const part = await between(books, days((bounds[index] ?? 0) + 1), days(end))
        expect(part.opening_balance).toBe(carried)
        const { credited, invoiced, paid, refunded } = part.totals
        const moved = cents(invoiced) - cents(paid) - cents(credited) + cents(refunded)
        expect(cents(part.closing_balance)).toBe(cents(part.opening_balance) + moved)
        carried = part.closing_balance
        entries.push(...part.entries)
      }
      expect(carried).toBe(whole.closing_balance)
      expect(entries).toEqual(whole.entries)
    }
    let balances = 0
    for (const id of issued) {
      const { balance_due, exchange_rate } = await books.invoice(id)
      balances += Math.round(Number((balance_due * (exchange_rate ?? 1) * 100).toFixed(6)))
    }
    expect(cents(whole.closing_balance)).toBe(balances)
  })

  it("answers 422 without a period, for an invalid day, and for a period that ends before it starts", async () => {
    const books = await open()
    for (const [query, fields] of [
      ["", ["end_date", "start_date"]],
      ["start_date=2026-01-01", ["end_date"]],
      ["start_date=2026-01-01&end_date=2026-02-30", ["end_date"]],
      ["start_date=2026-01-02&end_date=2026-01-01", ["end_date"]]
    ] as const) {
      const { body, status } = await statementOf(books, query)
      expect([query, status, Object.keys(body.errors).toSorted()]).toEqual([query, 422, fields])
    }
    const oneDay = await between(books, "2026-01-01", "2026-01-01")
    expect([oneDay.opening_balance, oneDay.entries, oneDay.closing_balance]).toEqual(["0.00", [], "0.00"])
  })

  it("answers 404 for another organization's customer", async () => {
    const [ours, theirs] = [await open(), await open()]
    const { status } = await statementOf(ours, "start_date=2026-01-01&end_date=2026-12-31", theirs.customer_id)
    expect(status).toBe(404)
    expect((await ours.call("GET", `/customers/${theirs.customer_id}/statistics`)).status).toBe(404)
  })
})
