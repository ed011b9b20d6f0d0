import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import { LineItem } from "../../../src/billing/lines/LineItem.ts"
import { TaxGroup, TaxRate } from "../../../src/billing/lines/Tax.ts"
import { price, type ResolvedItem } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode, exponentOf } from "../../../src/kernel/Currency.ts"
import { TaxRateId } from "../../../src/kernel/Ids.ts"
import { fitsExponent, formatAmount } from "../../../src/kernel/Money.ts"

const decimal = BigDecimal.fromStringUnsafe
const rate = (percent: string): TaxRate =>
  Schema.decodeSync(TaxRate)({
    id: 1 + Number(percent.replace(".", "")),
    name: `${percent}%`,
    rate: percent,
    category: "S"
  })

const item = (quantity: string, unit_price: string, changes: Partial<ResolvedItem> = {}): ResolvedItem => ({
  description: "Work",
  quantity: decimal(quantity),
  unit: "C62",
  unit_price: decimal(unit_price),
  discount: decimal("0"),
  discount_type: "percent",
  tax_exempt: false,
  tax_exemption_reason: null,
  tax_rates: [],
  ...changes
})
const taxed = (percent: string, ...prices: ReadonlyArray<string>) =>
  prices.map((unit_price) => item("1", unit_price, { tax_rates: [rate(percent)] }))
const exempt = { tax_exempt: true, tax_rates: [] }

const summary = (items: ReadonlyArray<ResolvedItem>, currency = "EUR") => {
  const code = CurrencyCode.make(currency)
  const { subtotal, tax_total, total } = price(items, code)
  return [subtotal, tax_total, total].map((amount) => formatAmount(amount, exponentOf(code))).join(" ")
}

describe("price", () => {
  it.each([
    ["three equal lines at 20 %", "EUR", taxed("20", "10.01", "10.01", "10.01"), "30.03 6.01 36.04"],
    ["three lines at 20 %", "EUR", taxed("20", "299.33", "179.33", "99.34"), "578.00 115.60 693.60"],
    ["two lines at 23 %", "EUR", taxed("23", "55.55", "11.11"), "66.66 15.33 81.99"],
    [
      "a percent discount, rounded once",
      "EUR",
      [item("16", "348.35", { discount: decimal("4"), tax_rates: [rate("22")] })],
      "5350.66 1177.15 6527.81"
    ],
    [
      "ten lines of 3.60 at 5.5 %",
      "EUR",
      taxed("5.5", ...Array.from({ length: 10 }, () => "3.60")),
      "36.00 1.98 37.98"
    ],
    ["one line of ten at 5.5 %", "EUR", [item("10", "3.60", { tax_rates: [rate("5.5")] })], "36.00 1.98 37.98"],
    ["four lines at 20 %", "EUR", taxed("20", "68.33", "68.33", "57.50", "85.00"), "279.16 55.83 334.99"],
    ["yen", "JPY", [item("3", "333", { tax_rates: [rate("10")] }), ...taxed("8", "1127")], "2126 190 2316"],
    ["dinars", "BHD", [item("7", "1.235", { tax_rates: [rate("10")] })], "8.645 0.865 9.510"],
    [
      "two rates and an exempt line",
      "EUR",
      [
        item("3", "19.99", { discount: decimal("10"), tax_rates: [rate("21")] }),
        item("2.5", "40", { tax_rates: [rate("6")] }),
        ...taxed("21", "0.05"),
        item("1", "100", exempt)
      ],
      "254.02 17.34 271.36"
    ]
  ] as const)("prices %s as the contract's vector says", (_, currency, items, expected) => {
    assert.strictEqual(summary(items, currency), expected)
  })

  it("answers lines and breakdown with the contract's fields and amounts", () => {
    const priced = price(
      [
        item("3", "19.99", { discount: decimal("10"), tax_rates: [rate("21")] }),
        ...taxed("21", "0.05"),
        item("1", "100", exempt)
      ],
      CurrencyCode.make("EUR")
    )
    const [first] = Schema.encodeSync(Schema.Array(LineItem))(priced.items)
    assert.deepStrictEqual(first, {
      id: 1,
      position: 1,
      description: "Work",
      quantity: 3,
      unit: "C62",
      unit_price: 19.99,
      discount: 10,
      discount_type: "percent",
      line_subtotal: 59.97,
      discount_amount: 6,
      line_total: 53.97,
      tax_exempt: false,
      tax_exemption_reason: null,
      tax_amount: 11.33,
      tax_rates: [{ id: 22, name: "21%", rate: 21, category: "S", taxable_amount: 53.97, tax_amount: 11.33 }]
    })
    assert.deepStrictEqual(Schema.encodeSync(Schema.Array(TaxGroup))(priced.tax_breakdown), [
      { tax_rate_id: 22, name: "21%", rate: 21, category: "S", taxable_amount: 54.02, tax_amount: 11.34 },
      { tax_rate_id: null, name: "Exempt", rate: 0, category: "E", taxable_amount: 100, tax_amount: 0 }
    ])
    assert.strictEqual(formatAmount(priced.discount_total, 2), "6.00")
  })

  it("subtracts a discount given as an amount, rounded to the currency", () => {
    const { items } = price(
      [item("1", "100", { discount: decimal("0.125"), discount_type: "amount" })],
      CurrencyCode.make("EUR")
    )
    assert.deepStrictEqual([items[0]?.discount_amount, items[0]?.line_total].map(String), [
      "BigDecimal(0.13)",
      "BigDecimal(99.87)"
    ])
  })

  it("applies each of several rates to the line's net", () => {
    const both = [rate("5"), rate("9.975")]
    assert.strictEqual(summary([item("1", "100", { tax_rates: both })]), "100.00 14.98 114.98")
    const { items, tax_breakdown } = price([item("1", "100", { tax_rates: both })], CurrencyCode.make("CAD"))
    assert.deepStrictEqual(
      items[0]?.tax_rates.map((tax) => formatAmount(tax.tax_amount, 2)),
      ["5.00", "9.98"]
    )
    assert.deepStrictEqual(
      tax_breakdown.map((tax) => formatAmount(tax.taxable_amount, 2)),
      ["100.00", "100.00"]
    )
  })

  it("keeps exemptions with different reasons separate, and a line without rates in category Z", () => {
    const { tax_breakdown } = price(
      [
        item("1", "1", exempt),
        item("1", "2", { ...exempt, tax_exemption_reason: "AE" }),
        item("1", "4"),
        item("1", "8", exempt)
      ],
      CurrencyCode.make("EUR")
    )
    assert.deepStrictEqual(
      tax_breakdown.map((tax) => [tax.tax_rate_id, tax.name, tax.category, formatAmount(tax.taxable_amount, 2)]),
      [
        [null, "Exempt", "E", "9.00"],
        [null, "Exempt", "AE", "2.00"],
        [null, "No tax", "Z", "4.00"]
      ]
    )
  })

  it("keeps two percentages of one rate id separate", () => {
    const older = { ...rate("21"), rate: decimal("19") }
    const { tax_breakdown } = price(
      [...taxed("21", "100"), item("1", "100", { tax_rates: [older] })],
      CurrencyCode.make("EUR")
    )
    assert.deepStrictEqual(
      tax_breakdown.map((tax) => formatAmount(tax.tax_amount, 2)),
      ["21.00", "19.00"]
    )
  })

  it("shows a document whose rebates outweigh its lines by a negative total", () => {
    assert.strictEqual(summary(taxed("21", "10", "-20")), "-10.00 -2.10 -12.10")
  })
})

/** Percentages that each occur three times: as they are, with another id, and in another country. */
const rates: ReadonlyArray<TaxRate> = ["21", "6", "5.5", "19.6", "0"]
  .map(rate)
  .flatMap((one) => [
    one,
    { ...one, id: TaxRateId.make(one.id + 1000) },
    { ...one, id: TaxRateId.make(one.id + 2000), country: "DE" }
  ])
const units = (min: bigint, max: bigint, scale: number) =>
  fc.bigInt({ min, max }).map((value) => BigDecimal.make(value, scale))
const anyItem: fc.Arbitrary<ResolvedItem> = fc
  .record({
    quantity: units(1n, 10_000_000n, 3),
    unit_price: units(-1_000_000n, 100_000_000n, 4),
    discount: units(0n, 100_000n, 3),
    discount_type: fc.constantFrom("percent" as const, "amount" as const),
    tax_exempt: fc.boolean(),
    tax_rates: fc.subarray([...rates], { maxLength: 2 })
  })
  .map((random) => ({ ...item("1", "1"), ...random, tax_rates: random.tax_exempt ? [] : random.tax_rates }))

const check = (property: (items: ReadonlyArray<ResolvedItem>, currency: CurrencyCode) => void) =>
  fc.assert(
    fc.property(
      fc.array(anyItem, { minLength: 1, maxLength: 25 }),
      fc.constantFrom("JPY", "EUR", "BHD").map((code) => CurrencyCode.make(code)),
      property
    ),
    { numRuns: 300 }
  )
const equal = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  assert.strictEqual(BigDecimal.format(left), BigDecimal.format(right))

/** Converts an amount to a whole number of units of 10^-scale. Throws if the amount has more decimals. */
const unitsOf = (amount: BigDecimal.BigDecimal, scale: number): bigint => {
  const scaled = BigDecimal.multiply(amount, BigDecimal.make(1n, -scale))
  return BigInt(BigDecimal.format(scaled))
}

describe("price of any document", () => {
  it("sums lines to subtotal and total exactly (BR-CO-10, BR-CO-13, BR-CO-15)", () => {
    check((items, currency) => {
      const priced = price(items, currency)
      equal(priced.subtotal, BigDecimal.sumAll(priced.items.map((line) => line.line_total)))
      equal(priced.total, BigDecimal.sum(priced.subtotal, priced.tax_total))
      for (const line of priced.items) equal(BigDecimal.sum(line.line_total, line.discount_amount), line.line_subtotal)
    })
  })

  it("rounds the tax of each country, category and percentage once, by integers (BR-CO-14, BR-CO-17)", () => {
    check((items, currency) => {
      const exponent = exponentOf(currency)
      const priced = price(items, currency)
      const groups = new Map<string, { taxable: bigint; tax: bigint; tenths: bigint }>()
      for (const { category, country, rate, tax_amount, taxable_amount } of priced.tax_breakdown) {
        const key = `${country} ${category} ${BigDecimal.format(rate)}`
        const group = groups.get(key) ?? { taxable: 0n, tax: 0n, tenths: unitsOf(rate, 1) }
        group.taxable += unitsOf(taxable_amount, exponent)
        group.tax += unitsOf(tax_amount, exponent)
        groups.set(key, group)
        // The tax of each row differs from its exact value by less than the smallest unit of the currency.
        const off = unitsOf(tax_amount, exponent) * 1000n - unitsOf(taxable_amount, exponent) * unitsOf(rate, 1)
        assert.isTrue(off < 1000n && off > -1000n)
      }
      for (const { tax, taxable, tenths } of groups.values()) {
        const doubled = taxable * tenths * 2n
        assert.strictEqual(tax, (doubled + (doubled < 0n ? -1000n : 1000n)) / 2000n)
      }
      equal(priced.tax_total, BigDecimal.sumAll(priced.tax_breakdown.map((group) => group.tax_amount)))
    })
  })

  it("shares each row's tax out over its lines without losing a cent", () => {
    check((items, currency) => {
      const priced = price(items, currency)
      equal(priced.tax_total, BigDecimal.sumAll(priced.items.map((line) => line.tax_amount)))
      for (const group of priced.tax_breakdown) {
        const taxes = priced.items.flatMap((line) => line.tax_rates.filter(({ id }) => id === group.tax_rate_id))
        equal(group.tax_amount, BigDecimal.sumAll(taxes.map((tax) => tax.tax_amount)))
      }
    })
  })

  it("prices stored lines again to the same amounts, and numbers them by their new order", () => {
    check((items, currency) => {
      const once = price(items, currency)
      const again = price(once.items, currency)
      equal(again.total, once.total)
      assert.deepStrictEqual(again, once)
      const reversed = price(once.items.toReversed(), currency).items
      assert.deepStrictEqual(
        reversed.map((line) => line.position),
        reversed.map((_, index) => index + 1)
      )
    })
  })

  it("leaves no amount with more decimals than the currency has", () => {
    check((items, currency) => {
      const priced = price(items, currency)
      const amounts = priced.items.flatMap((line) => [
        line.line_subtotal,
        line.discount_amount,
        line.line_total,
        ...line.tax_rates.map((tax) => tax.tax_amount)
      ])
      for (const amount of [...amounts, priced.total]) assert.isTrue(fitsExponent(amount, exponentOf(currency)))
    })
  })
})
