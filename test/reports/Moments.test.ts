import { beforeAll, describe, expect, it } from "vitest"
import { paymentBody } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"
import { movableClock } from "../support/MovableClock.ts"

const clock = movableClock()
const { open } = useExpenses({}, { clock: clock.layer })

beforeAll(() => clock.set(Date.parse("2026-03-14T12:00:00Z")))

const documents = 40

/** Reads continuously until the writes are done, and once more. */
const during = async <Answer>(writes: Promise<unknown>, read: () => Promise<Answer>) => {
  const progress = { isDone: false }
  const ended = writes.finally(() => (progress.isDone = true))
  const answers: Array<Answer> = []
  while (!progress.isDone) answers.push(await read())
  await ended
  answers.push(await read())
  return answers
}

describe("a report during concurrent writes", () => {
  it("shows a single moment: its figures are consistent", async () => {
    const books = await open()
    const drafts: Array<{ readonly id: number }> = []
    for (let count = 0; count < documents; count++) drafts.push(await books.draft({ issue_date: "2026-03-02" }))
    const issuing = async () => {
      for (const draft of drafts) await books.send(draft)
    }
    const seen = await during(issuing(), () => books.made("GET", "/reports/dashboard"))
    for (const { counts, outstanding, revenue, series, vat_balance } of seen) {
      const issued = counts.invoices_issued
      expect({ revenue, outstanding, vat_balance, month: series[0].revenue }).toEqual({
        revenue: `${issued * 100}.00`,
        outstanding: `${issued * 121}.00`,
        vat_balance: `${issued * 21}.00`,
        month: `${issued * 100}.00`
      })
    }
    expect(seen.at(-1).counts.invoices_issued).toBe(documents)
  })

  it("of a past day does not change with later payments, refunds and credit notes", async () => {
    const books = await open()
    const invoices = []
    for (let count = 0; count < 10; count++) invoices.push(await books.issued({ issue_date: "2026-02-01" }))
    const settling = invoices.map(async ({ id }) => {
      const whole = paymentBody(id, 121, { payment_date: "2026-03-02" })
      const payment = await books.made("POST", "/payments", whole)
      await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
      const part = await books.made("POST", "/payments", paymentBody(id, 21, { payment_date: "2026-03-03" }))
      await books.made("DELETE", `/payments/${part.id}`)
    })
    const seen = await during(Promise.all(settling), () =>
      books.made("GET", "/reports/aged-receivables?as_of=2026-03-01")
    )
    expect(new Set(seen.map(({ totals }) => totals.total))).toEqual(new Set(["1210.00"]))
    const now = await books.made("GET", "/reports/aged-receivables")
    expect([now.as_of, now.totals.total]).toEqual(["2026-03-14", "210.00"])
  })
})
