import { expect, it } from "vitest"
import { type Books, line, useBilling } from "../support/Billing.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { sampled } from "../support/service/Runs.ts"

const clock = movableClock()
const { open } = useBilling({}, { clock: clock.layer })

const minute_ms = 60_000
const quarter_ms = 15 * minute_ms

const dayIn = (timeZone: string, moment_ms: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(moment_ms)

/** Returns the first moment of a day in a time zone, found without the code of the service. */
const startOf = (zone: string, day: string) => {
  let moment_ms = Date.parse(`${day}T00:00:00Z`) - 15 * 60 * minute_ms
  while (dayIn(zone, moment_ms) < day) moment_ms += quarter_ms
  return moment_ms
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

const exported = async (books: Books, day: string) => {
  const body = { resource: "customers", format: "json", start_date: day, end_date: day }
  return (await books.call("POST", "/reports/export", body)).body.data.map(({ name }: { name: string }) => name)
}

/** Everything that follows from the day of today, as the service answers it now. */
const dated = async (books: Books, invoice: number, quote: number) => {
  const { as_of } = await books.made("GET", "/reports/aged-receivables")
  const { end_date, start_date } = await books.made("GET", "/reports/dashboard")
  const { issue_date: copied } = await books.made("POST", `/invoices/${invoice}/duplicate`)
  const sold = await books.issued({ issue_date: "2010-01-01", due_date: "2999-01-01" })
  const paid = await books.made("POST", `/invoices/${sold.id}/mark-paid`)
  const [payment] = await books.made("GET", `/payments?invoice_id=${paid.id}`)
  const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: 1 })
  const note = await books.made("POST", "/credit-notes", { invoice_id: sold.id, amount: 1, reason: "Late" })
  const to = { recipients: "ap@beta.example", attach_pdf: false }
  const credited = await books.made("POST", `/credit-notes/${note.id}/send`, to)
  const { days_overdue, status } = await books.invoice(invoice)
  return {
    as_of,
    month: [start_date.slice(0, 7), end_date.slice(0, 7), start_date.slice(8)],
    days: [copied, payment.payment_date, refunds[0].refund_date, credited.issue_date],
    year: credited.number.slice(3, 7),
    invoice: [status, days_overdue],
    quote: (await books.made("GET", `/quotes/${quote}`)).status
  }
}

const cases = [
  ["Europe/Brussels", "2026-03-29"],
  ["Europe/Brussels", "2026-10-26"],
  ["Europe/Brussels", "2028-02-29"],
  ["Europe/Brussels", "2028-03-01"],
  ["Europe/Brussels", "2027-01-01"],
  ["Pacific/Auckland", "2026-04-06"],
  ["Pacific/Auckland", "2026-09-27"],
  ["Pacific/Auckland", "2027-01-01"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Sao_Paulo", "2019-02-17"],
  ["America/Sao_Paulo", "2028-02-29"],
  ["Pacific/Apia", "2011-12-31"],
  ["Pacific/Apia", "2027-01-01"]
] as const

it.each(sampled(cases))("the day begins in %s on %s for everything that depends on today", async (timezone, day) => {
  const midnight = startOf(timezone, day)
  const before = dayIn(timezone, midnight - minute_ms)
  clock.set(midnight - 10 * minute_ms)
  const books = await open({ timezone })
  const invoice = await books.issued({ issue_date: before, due_date: before, items: [line(100)] })
  const offer = await books.made("POST", "/quotes", { ...books.body({ issue_date: before }), valid_until: before })
  await books.made("POST", `/quotes/${offer.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
  for (const [moment, today] of [
    [midnight - 5 * minute_ms, before],
    [midnight + minute_ms, day]
  ] as const) {
    clock.set(moment)
    const late = daysBetween(before, today)
    const month = today.slice(0, 7)
    expect(await dated(books, invoice.id, offer.id)).toEqual({
      as_of: today,
      month: [month, month, "01"],
      days: [today, today, today, today],
      year: today.slice(0, 4),
      invoice: late === 0 ? ["sent", 0] : ["overdue", late],
      quote: late === 0 ? "sent" : "expired"
    })
    await books.made("POST", "/customers", { name: today })
    expect(await exported(books, today)).toEqual(expect.arrayContaining([today]))
  }
  expect(await exported(books, before)).not.toContain(day)
  expect(await exported(books, day)).toEqual([day])
  await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "books_locked_until", value: before }] })
  clock.set(midnight - 4 * minute_ms)
  expect((await books.call("POST", `/invoices/${invoice.id}/mark-paid`)).body.code).toBe("books_locked")
  clock.set(midnight + 2 * minute_ms)
  expect((await books.made("POST", `/invoices/${invoice.id}/mark-paid`)).status).toBe("paid")
  const period = `start_date=${day}&end_date=${day}`
  const { entries } = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
  expect(entries.map(({ type }: { type: string }) => type)).toEqual(["credit_note", "payment", "payment", "refund"])
})
