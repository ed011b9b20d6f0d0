import { BigDecimal, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TaxGroup } from "../../src/billing/lines/Tax.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { Amount, Decimal, formatAmount } from "../../src/kernel/Money.ts"
import { document, einvoice } from "../einvoicing/ubl/Documents.ts"
import { line } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"

const { app, open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const vat = (books: Books, query: string) => books.made("GET", `/reports/vat?${query}`)
const first_quarter = "start_date=2026-01-01&end_date=2026-03-31"

/** Creates tax rates of 19 % in Germany and in Cyprus, and returns their ids. */
const ossRates = (books: Books): Promise<ReadonlyArray<number>> =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: number }>`
        insert into tax_rates (organization_id, name, rate, category, country)
        values (${books.id}, 'USt 19%', 19, 'S', 'DE'), (${books.id}, 'ΦΠΑ 19%', 19, 'S', 'CY') returning id`
      return rows.map(({ id }) => id)
    })
  )

const Taxed = Schema.Struct({
  currency: CurrencyCode,
  exchange_rate: Schema.NullOr(Decimal),
  tax_breakdown: Schema.Array(TaxGroup),
  tax_total: Amount
})
const decodeTaxed = Schema.decodeUnknownSync(Taxed)

/** The tax in euro in the e-invoice of a document. */
const statedTax = (answered: unknown): BigDecimal.BigDecimal => {
  const { accounting_tax, totals } = einvoice(document([], decodeTaxed(answered)))
  return accounting_tax?.amount ?? totals.tax
}

const charged = { direction: "output", country: null, deductible: null }
const paid = { direction: "input", country: null }

describe("GET /api/v1/reports/vat", () => {
  it("shows output tax of invoices and input tax of deductible expenses, by rate and category", async () => {
    const books = await open({ rates: [21, 6] })
    const [standard = 0, reduced = 0] = books.tax_rate_ids
    await books.issued({
      items: [line("54.02", { tax_rate_ids: [standard] }), line(100, { tax_rate_ids: [reduced] })]
    })
    await books.draft()
    await books.issued({ issue_date: "2026-04-01" })
    const meal = { amount: 118.4, tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }] }
    await books.spent({ ...meal, is_vat_deductible: true, vat_deductible_percentage: 50 })
    await books.spent(meal)
    for (const status of ["draft", "rejected"]) await books.spent({ ...meal, is_vat_deductible: true, status })
    expect(await vat(books, `${first_quarter}&grouping=quarterly`)).toEqual({
      start_date: "2026-01-01",
      end_date: "2026-03-31",
      grouping: "quarterly",
      currency: "EUR",
      periods: [
        {
          period: "2026-Q1",
          output: [
            { country: null, rate: "21", category: "S", taxable: "54.02", tax: "11.34", documents: 1 },
            { country: null, rate: "6", category: "S", taxable: "100.00", tax: "6.00", documents: 1 }
          ],
          input: [{ rate: "21", category: "meals", taxable: "97.85", tax: "20.55", deductible: "10.28", documents: 1 }],
          output_total: "17.34",
          input_total: "10.28",
          net: "7.06"
        }
      ],
      totals: { output: "17.34", input: "10.28", net: "7.06" },
      rows: [
        {
          currency: "EUR",
          output: "17.34",
          input: "10.28",
          net: "7.06",
          rates: [
            { ...charged, rate: "21", category: "S", taxable: "54.02", tax: "11.34", documents: 1 },
            { ...charged, rate: "6", category: "S", taxable: "100.00", tax: "6.00", documents: 1 },
            {
              ...paid,
              rate: "21",
              category: "meals",
              taxable: "97.85",
              tax: "20.55",
              deductible: "10.28",
              documents: 1
            }
          ]
        }
      ]
    })
  })

  it("corrects the input tax by suppliers' credit notes, and the profit by their net amounts", async () => {
    const books = await open()
    const meal = { amount: 118.4, tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }] }
    const note = { amount: -60.5, tax_rates: [{ rate: 21, taxable_amount: -50, tax_amount: -10.5 }] }
    const half = { is_vat_deductible: true, vat_deductible_percentage: 50 }
    await books.spent({ ...meal, ...half })
    const credited = await books.spent({ ...note, ...half })
    expect(credited).toMatchObject({ net_amount: -50, deductible_tax_amount: -5.25, non_deductible_tax_amount: -5.25 })
    const { periods, totals } = await vat(books, first_quarter)
    expect(periods[0].input).toEqual([
      { rate: "21", category: "meals", taxable: "47.85", tax: "10.05", deductible: "5.03", documents: 2 }
    ])
    expect(totals).toEqual({ output: "0.00", input: "5.03", net: "-5.03" })
    const { expenses } = await books.made("GET", `/reports/profit-loss?${first_quarter}`)
    expect(expenses).toMatchObject({
      by_category: [{ category: "meals", amount: "47.85" }],
      non_deductible_tax: "5.02",
      total: "52.87"
    })
    const untaxed = await books.spent({ amount: -10, is_vat_deductible: true, tax_amount: -1.74 })
    expect(untaxed.net_amount).toBe(-8.26)
    expect((await vat(books, first_quarter)).totals.input).toBe("3.29")
  })

  it("has one period without grouping, and includes months without tax", async () => {
    const books = await open()
    await books.issued({ issue_date: "2026-03-31" })
    const whole = await vat(books, first_quarter)
    expect([whole.grouping, whole.periods[0].period, whole.periods.length]).toEqual([null, "2026-01-01/2026-03-31", 1])
    expect(whole.periods[0].output_total).toBe("21.00")
    const { periods } = await vat(books, `${first_quarter}&grouping=monthly`)
    const shown = periods.map((one: Record<string, unknown>) => [one["period"], one["output_total"], one["net"]])
    expect(shown).toEqual([
      ["2026-01", "0.00", "0.00"],
      ["2026-02", "0.00", "0.00"],
      ["2026-03", "21.00", "21.00"]
    ])
    const years = await vat(books, "start_date=2025-06-01&end_date=2026-06-30&grouping=annual")
    expect(years.periods.map((one: { period: string }) => one.period)).toEqual(["2025", "2026"])
  })

  it("subtracts credit notes by their own date", async () => {
    const books = await open()
    const invoice = await books.issued({ issue_date: "2026-01-01" })
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 60.5, reason: "Returned" })
    const to = { recipients: ["ap@beta.example"], attach_pdf: false }
    const { issue_date } = await books.made("POST", `/credit-notes/${note.id}/send`, to)
    const before = await vat(books, "start_date=2026-01-01&end_date=2026-01-31")
    expect(before.totals.output).toBe("21.00")
    const { periods, totals } = await vat(books, `start_date=${issue_date}&end_date=${issue_date}`)
    expect(totals).toEqual({ output: "-10.50", input: "0.00", net: "-10.50" })
    expect(periods[0].output).toEqual([
      { country: null, rate: "21", category: "S", taxable: "-50.00", tax: "-10.50", documents: 1 }
    ])
  })

  it("converts at the document's rate, and separates currencies without a rate", async () => {
    const books = await open()
    await books.issued({ currency: "USD", exchange_rate: 0.9173, items: [line(33.33)] })
    await books.issued({ currency: "JPY", items: [line(1000)] })
    await books.issued({ currency: "JPY", issue_date: "2026-02-01", items: [line(100)] })
    const spent = { amount: 121, tax_amount: 21, is_vat_deductible: true, expense_date: "2026-01-05" }
    await books.spent({ ...spent, currency: "USD" })
    await books.spent({ ...spent, currency: "JPY", vat_deductible_percentage: 50 })
    const { periods, rows } = await vat(books, `${first_quarter}&grouping=monthly`)
    // At the rate 0.9173, the net amount of 33.33 is 30.573..., and the tax of 7.00 is 6.4211.
    expect(periods.flatMap(({ output }: { readonly output: ReadonlyArray<unknown> }) => output)).toEqual([
      { country: null, rate: "21", category: "S", taxable: "30.57", tax: "6.42", documents: 1 }
    ])
    expect(rows).toEqual([
      {
        currency: "EUR",
        output: "6.42",
        input: "0.00",
        net: "6.42",
        rates: [{ ...charged, rate: "21", category: "S", taxable: "30.57", tax: "6.42", documents: 1 }]
      },
      {
        currency: "JPY",
        output: "231",
        input: "11",
        net: "220",
        rates: [
          { ...charged, rate: "21", category: "S", taxable: "1100", tax: "231", documents: 2 },
          { ...paid, rate: null, category: "meals", taxable: "100", tax: "21", deductible: "11", documents: 1 }
        ]
      },
      {
        currency: "USD",
        output: "0.00",
        input: "21.00",
        net: "-21.00",
        rates: [
          { ...paid, rate: null, category: "meals", taxable: "100.00", tax: "21.00", deductible: "21.00", documents: 1 }
        ]
      }
    ])
  })

  it("distributes the deductible tax of a receipt over its rates, to the cent of the expense", async () => {
    const books = await open()
    const tax_rates = [
      { rate: 21, taxable_amount: 0.24, tax_amount: 0.05 },
      { rate: 12, taxable_amount: 0.42, tax_amount: 0.05 },
      { rate: 6, taxable_amount: 0.83, tax_amount: 0.05 },
      { rate: 0, taxable_amount: 1, tax_amount: 0 }
    ]
    // The tax exceeds the sum of its rows by two cents, as much as the rounding on a receipt may cause.
    const mixed = { amount: 2.66, tax_amount: 0.17, tax_rates, is_vat_deductible: true, vat_deductible_percentage: 50 }
    const spent = await books.spent(mixed)
    const unrated = { amount: 121, tax_amount: 21, is_vat_deductible: true, category: "fuel" }
    await books.spent(unrated)
    const { periods, totals } = await vat(books, first_quarter)
    expect(periods[0].input).toEqual([
      { rate: "21", category: "meals", taxable: "0.24", tax: "0.05", deductible: "0.03", documents: 1 },
      { rate: "12", category: "meals", taxable: "0.42", tax: "0.05", deductible: "0.02", documents: 1 },
      { rate: "6", category: "meals", taxable: "0.83", tax: "0.05", deductible: "0.04", documents: 1 },
      { rate: "0", category: "meals", taxable: "1.00", tax: "0.00", deductible: "0.00", documents: 1 },
      { rate: null, category: "fuel", taxable: "100.00", tax: "21.00", deductible: "21.00", documents: 1 }
    ])
    expect(Number(totals.input)).toBe(spent.deductible_tax_amount + 21)
  })

  it("has one row for rates with equal percentage and category, and both taxes of a line with two rates", async () => {
    const books = await open({ rates: [21, 21, 6] })
    const [first = 0, second = 0, third = 0] = books.tax_rate_ids
    await books.issued({ items: [line(100, { tax_rate_ids: [first] }), line(50, { tax_rate_ids: [second] })] })
    await books.issued({ items: [line(10, { tax_rate_ids: [first, third] })] })
    const { periods } = await vat(books, first_quarter)
    expect(periods[0].output).toEqual([
      { country: null, rate: "21", category: "S", taxable: "160.00", tax: "33.60", documents: 2 },
      { country: null, rate: "6", category: "S", taxable: "10.00", tax: "0.60", documents: 1 }
    ])
    const { totals } = await books.made("GET", `/reports/revenue?${first_quarter}`)
    expect(totals).toEqual({ net: "160.00", tax: "34.20", gross: "194.20", credited: "0.00", invoices: 2 })
  })

  it("has separate rows for countries with the same percentage", async () => {
    const books = await open({ rates: [19] })
    const oss = await ossRates(books)
    const tax_rate_ids = [undefined, ...oss].map((id) => (id === undefined ? {} : { tax_rate_ids: [id] }))
    await books.issued({ items: tax_rate_ids.map((rate) => line(0.08, rate)) })
    const { periods, totals } = await vat(books, first_quarter)
    const row = { rate: "19", category: "S", taxable: "0.08", tax: "0.02", documents: 1 }
    expect(periods[0].output).toEqual([null, "CY", "DE"].map((country) => ({ ...row, country })))
    expect(totals.output).toBe("0.06")
  })

  it("equals the sum of the taxes in the e-invoices in the organization's currency, to the cent", async () => {
    const books = await open({ rates: [21, 21, 6] })
    const rates = [...books.tax_rate_ids, ...(await ossRates(books))]
    const currencies = ["USD", "JPY", "BHD", "EUR"]
    const Lines = fc.array(
      fc.record({
        tax_rate_ids: fc.subarray(rates, { minLength: 1, maxLength: 2 }),
        unit_price: fc.integer({ min: 1, max: 999_999 }).map((cents) => cents / 100)
      }),
      { minLength: 1, maxLength: 6 }
    )
    const Sale = fc.record({
      items: Lines,
      currency: fc.constantFrom(...currencies),
      exchange_rate: fc.integer({ min: 1, max: 9_999_999 }).map((millionths) => millionths / 1_000_000),
      credited: fc.boolean()
    })
    let stated = BigDecimal.fromBigInt(0n)
    for (const { credited, items, ...sale } of fc.sample(Sale, { numRuns: 60, seed: 15 })) {
      const exchange_rate = sale.currency === "EUR" ? null : sale.exchange_rate
      const lines = items.map(({ tax_rate_ids, unit_price }) => line(unit_price, { tax_rate_ids }))
      const invoice = await books.issued({ ...sale, exchange_rate, items: lines })
      stated = BigDecimal.sum(stated, statedTax(invoice))
      if (!credited || invoice.total < 2) continue
      const amount = Math.floor(invoice.total / 2)
      const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount, reason: "Half" })
      const to = { recipients: "ap@beta.example", attach_pdf: false }
      stated = BigDecimal.subtract(stated, statedTax(await books.made("POST", `/credit-notes/${note.id}/send`, to)))
    }
    const { rows } = await vat(books, "start_date=2026-01-01&end_date=2999-12-31")
    expect(rows).toHaveLength(1)
    expect(rows[0].output).toBe(formatAmount(stated, 2))
  })

  it("answers 422 without a period, for an invalid or too long one, and for an unknown grouping", async () => {
    const books = await open()
    for (const [query, fields] of [
      ["", ["end_date", "start_date"]],
      ["start_date=2026-01-02&end_date=2026-01-01", ["end_date"]],
      ["start_date=1900-01-01&end_date=2999-12-31&grouping=monthly", ["end_date"]],
      [`${first_quarter}&grouping=weekly`, ["grouping"]]
    ] as const) {
      const { body, status } = await books.call("GET", `/reports/vat?${query}`)
      expect([query, status, Object.keys(body.errors).toSorted()]).toEqual([query, 422, fields])
    }
  })
})
