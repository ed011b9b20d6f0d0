import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { line, paymentBody } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"
import { unseal } from "../support/Seals.ts"
import { everyOne, exact, inEuro, type Sale, salesOf, shown, sum } from "./Recomputed.ts"

const { app, open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const invoices = 16
const making_ms_max = 120_000

let seed = 20_260_301
const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max
const day = (after: number) => new Date(Date.UTC(2026, 0, 1 + after)).toISOString().slice(0, 10)
const amount = (cents_max: number) => (1 + random(cents_max)) / 100

let books: Books
let customers: ReadonlyArray<number>
let sales: ReadonlyArray<Sale>

const setDate = (table: "credit_notes" | "payment_refunds", id: number, date: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* unseal(table)
      yield* table === "credit_notes"
        ? sql`update credit_notes set issue_date = ${date} where id = ${id}`
        : sql`update payment_refunds set refund_date = null, created_at = ${`${date}T12:00:00Z`}::timestamptz where id = ${id}`
    })
  )

const trade = async (start: number) => {
  const [standard = 0, reduced = 0, none = 0] = books.tax_rate_ids
  const foreign = random(3) === 0 ? { currency: "USD", exchange_rate: (900 + random(200)) / 1000 } : {}
  const invoice = await books.issued({
    customer_id: customers[random(customers.length)],
    issue_date: day(start),
    due_date: day(start + random(40)),
    items: [
      line(amount(99_999), { tax_rate_ids: [standard] }),
      line(amount(9_999), { quantity: 1 + random(5), tax_rate_ids: [random(2) === 0 ? reduced : none] }),
      line(amount(5_000), { tax_rate_ids: [standard, reduced] })
    ],
    ...foreign
  })
  if (random(2) === 0) {
    const part = Math.max(1, random(Math.floor(invoice.total * 100))) / 100
    const payment = await books.made(
      "POST",
      "/payments",
      paymentBody(invoice.id, part, { payment_date: day(start + random(100) - 20) })
    )
    if (random(2) === 0) {
      const back = Math.max(1, Math.floor(part * 40)) / 100
      const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: back })
      await setDate("payment_refunds", refunds.at(-1).id, day(start + 80 + random(40)))
    }
  }
  if (random(3) > 0) return
  const credit = { invoice_id: invoice.id, amount: Math.max(1, Math.floor(invoice.total * 30)) / 100, reason: "Late" }
  const note = await books.made("POST", "/credit-notes", credit)
  await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
  await setDate("credit_notes", note.id, day(start + random(100) - 10))
}

const spend = () => {
  const tax = amount(2_000)
  const net = amount(20_000)
  const share = [{}, { vat_deductible_percentage: 50 }, { vat_deductible_percentage: 33.33 }][random(3)]
  const rows = [{ rate: 21, taxable_amount: Math.round(net * 100) / 100, tax_amount: tax }]
  return books.spent({
    expense_date: day(random(180)),
    category: ["meals", "travel", "cost_of_goods"][random(3)],
    amount: Math.round((net + tax) * 100) / 100,
    tax_amount: tax,
    ...(random(2) === 0 ? { tax_rates: rows } : {}),
    is_vat_deductible: random(4) > 0,
    ...share
  })
}

beforeAll(async () => {
  books = await open({ rates: [21, 6, 0] })
  const further = await books.made("POST", "/customers", { name: "Gamma" })
  customers = [books.customer_id, further.id]
  for (let count = 0; count < invoices; count++) await trade(random(150))
  for (let count = 0; count < 10; count++) await spend()
  await books.draft()
  sales = await salesOf(books)
}, making_ms_max)

const year = "start_date=2026-01-01&end_date=2026-12-31"
const taxOf = (parts: ReadonlyArray<Sale>) => sum(parts.flatMap(({ taxes }) => taxes.map(({ tax }) => tax)))

const figuresOf = (parts: ReadonlyArray<Sale>) => {
  const net = sum(parts.map((part) => part.net))
  return {
    net: shown(net),
    tax: shown(taxOf(parts)),
    gross: shown(sum(parts.map((part) => part.gross))),
    credited: shown(-sum(parts.filter(({ isInvoice }) => !isInvoice).map((part) => part.net))),
    invoices: parts.filter(({ isInvoice }) => isInvoice).length
  }
}

const quarterOf = (date: string) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`

describe("reports on random books, compared with sums over the documents", () => {
  it.each([
    ["day", (date: string) => date, 365],
    ["month", (date: string) => date.slice(0, 7), 12],
    ["quarter", quarterOf, 4],
    ["year", (date: string) => date.slice(0, 4), 1]
  ] as const)("have the revenue of each %s", async (group_by, keyOf, count) => {
    const { rows, totals } = await books.made("GET", `/reports/revenue?${year}&group_by=${group_by}`)
    expect(rows.length).toBe(count)
    for (const { key, ...figures } of rows) {
      expect([key, figures]).toEqual([key, figuresOf(sales.filter(({ date }) => keyOf(date) === key))])
    }
    expect(totals).toEqual(figuresOf(sales))
  })

  it("show the revenue of any period", async () => {
    for (let round = 0; round < 10; round++) {
      const [from, to] = [random(250), random(250)].toSorted((a, b) => a - b).map(day)
      const { totals } = await books.made("GET", `/reports/revenue?start_date=${from}&end_date=${to}&group_by=week`)
      expect(totals).toEqual(figuresOf(sales.filter(({ date }) => date >= (from ?? "") && date <= (to ?? ""))))
    }
  })

  it("show the revenue of each customer, the highest first", async () => {
    const { rows } = await books.made("GET", `/reports/revenue?${year}&group_by=customer`)
    expect(rows.length).toBe(2)
    for (const { key, name: _, ...figures } of rows)
      expect(figures).toEqual(figuresOf(sales.filter(({ customer_id }) => String(customer_id) === key)))
    expect(exact(rows[0].net)).toBeGreaterThanOrEqual(exact(rows[1].net))
    const top = await books.made("GET", "/reports/top-customers")
    expect(
      top.customers.map(({ customer_id, ...rest }: { customer_id: number }) => ({ key: String(customer_id), ...rest }))
    ).toEqual(rows)
  })

  it("show the tax of each rate: that of the invoices minus that of the credit notes", async () => {
    const { periods, totals } = await books.made("GET", `/reports/vat?${year}&grouping=monthly`)
    expect(periods).toHaveLength(12)
    for (const { output, output_total, period } of periods) {
      const within = sales.filter(({ date }) => date.startsWith(period))
      expect([period, output_total]).toEqual([period, shown(taxOf(within))])
      const rates = new Set(within.flatMap(({ taxes }) => taxes.map((one) => one.rate)))
      expect([period, new Set(output.map((row: { rate: string }) => row.rate))]).toEqual([period, rates])
      for (const { documents, rate, tax, taxable } of output) {
        const rows = within.flatMap(({ taxes }) => taxes.filter((one) => one.rate === rate))
        expect([documents, taxable, tax]).toEqual([
          rows.length,
          shown(sum(rows.map((row) => row.taxable))),
          shown(sum(rows.map((row) => row.tax)))
        ])
      }
    }
    const expenses = await everyOne(books, "expenses")
    const deductible = sum(expenses.map(({ deductible_tax_amount }) => exact(deductible_tax_amount)))
    expect(totals).toEqual({
      output: shown(taxOf(sales)),
      input: shown(deductible),
      net: shown(taxOf(sales) - deductible)
    })
  })

  it("show the profit: income minus expenses and non-deductible tax", async () => {
    const report = await books.made("GET", `/reports/profit-loss?${year}`)
    const expenses = await everyOne(books, "expenses")
    const netOf = (of: typeof expenses) => sum(of.map(({ net_amount }) => exact(net_amount)))
    const lost = sum(expenses.map(({ non_deductible_tax_amount }) => exact(non_deductible_tax_amount)))
    const income = sum(sales.map(({ net }) => net))
    expect(report.income.total).toBe(shown(income))
    expect(report.income.invoiced).toBe(shown(sum(sales.filter((one) => one.isInvoice).map(({ net }) => net))))
    const categories = new Set(expenses.map(({ category }) => category))
    expect(report.expenses.by_category).toHaveLength(categories.size)
    for (const { amount: said, category } of report.expenses.by_category) {
      expect([category, said]).toEqual([category, shown(netOf(expenses.filter((one) => one.category === category)))])
    }
    expect(report.expenses.non_deductible_tax).toBe(shown(lost))
    expect(report.expenses.total).toBe(shown(netOf(expenses) + lost))
    expect(report.net_profit).toBe(shown(income - netOf(expenses) - lost))
    const goods = netOf(expenses.filter(({ category }) => category === "cost_of_goods"))
    expect(report.gross_profit).toBe(shown(income - goods))
  })

  it("show on any day the receivables that are each customer's closing balance", async () => {
    for (const as_of of [day(20), day(60), day(100), day(150), day(400)]) {
      const aged = await books.made("GET", `/reports/aged-receivables?as_of=${as_of}`)
      for (const id of customers) {
        const asked = `start_date=2025-01-01&end_date=${as_of}`
        const { closing_balance } = await books.made("GET", `/customers/${id}/statement?${asked}`)
        const found = aged.customers.find(({ customer_id }: { customer_id: number }) => customer_id === id)
        expect([as_of, id, found?.total ?? "0.00"]).toEqual([as_of, id, closing_balance])
        if (found === undefined) continue
        const listed = found.invoices.map(({ balance_due }: { balance_due: string }) => exact(balance_due))
        expect(shown(sum(listed))).toBe(found.total)
        for (const bucket of aged.buckets) {
          const within = found.invoices.filter((invoice: { bucket: string }) => invoice.bucket === bucket)
          expect(shown(sum(within.map((one: { balance_due: string }) => exact(one.balance_due))))).toBe(found[bucket])
        }
      }
      const totals = aged.customers.map(({ total }: { total: string }) => exact(total))
      expect(shown(sum(totals))).toBe(aged.totals.total)
    }
  })

  it("show in the end the open amounts of the invoices", async () => {
    const all = await everyOne(books, "invoices")
    const owed = sum(
      all
        .filter(({ issued_at }) => issued_at !== null)
        .map((invoice) => inEuro(exact(invoice.balance_due) - exact(invoice.refundable_amount), invoice))
    )
    const { totals } = await books.made("GET", `/reports/aged-receivables?as_of=${day(400)}`)
    expect(totals.total).toBe(shown(owed))
  })
})
