import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { TaxGroup, TaxRate } from "../../../src/billing/lines/Tax.ts"
import { price, type ResolvedItem } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { TaxRateId } from "../../../src/kernel/Ids.ts"
import { formatAmount } from "../../../src/kernel/Money.ts"

const decimal = BigDecimal.fromStringUnsafe
const rate = (percent: string): TaxRate =>
  Schema.decodeSync(TaxRate)({ id: 1 + Number(percent), name: `${percent}%`, rate: percent, category: "S" })

const taxed = (borne: TaxRate): ResolvedItem => ({
  description: "Work",
  quantity: decimal("1"),
  unit: "C62",
  unit_price: decimal("0.07"),
  discount: decimal("0"),
  discount_type: "percent",
  tax_exempt: false,
  tax_exemption_reason: null,
  tax_rates: [borne]
})

const cents = (of: ReadonlyArray<{ readonly tax_amount: BigDecimal.BigDecimal }>) =>
  of.map((tax) => formatAmount(tax.tax_amount, 2))

describe("price of lines in groups of VAT", () => {
  it("rounds once for two rate ids of one percentage, and shares by largest remainder", () => {
    const twin = { ...rate("21"), id: TaxRateId.make(99) }
    const { items, tax_breakdown } = price([taxed(rate("21")), taxed(twin)], CurrencyCode.make("EUR"))
    // The tax on both lines is 0.0294 (21 % of 0.14) and rounds to 0.03; on each line, 0.0147 would round to 0.01.
    assert.deepStrictEqual(
      tax_breakdown.map((tax) => Number(tax.tax_rate_id)),
      [22, 99]
    )
    assert.deepStrictEqual(
      [cents(tax_breakdown), cents(items)],
      [
        ["0.02", "0.01"],
        ["0.02", "0.01"]
      ]
    )
  })

  it("keeps two countries of one percentage separate, each rounded, with their country and exemption code", () => {
    const oss = (country: string) => ({ ...rate("21"), country })
    const exempt_rate = { ...rate("0"), category: "E" as const, exemption_code: "VATEX-EU-132" }
    const { items, tax_breakdown } = price([oss("DE"), oss("CY"), exempt_rate].map(taxed), CurrencyCode.make("EUR"))
    const amounts = { taxable_amount: 0.07, tax_amount: 0.01 }
    const facts = { tax_rate_id: 22, name: "21%", rate: 21, category: "S" as const, ...amounts }
    assert.deepStrictEqual(Schema.encodeSync(Schema.Array(TaxGroup))(tax_breakdown), [
      { ...facts, country: "DE" },
      { ...facts, country: "CY" },
      {
        tax_rate_id: 1,
        name: "0%",
        rate: 0,
        category: "E",
        exemption_code: "VATEX-EU-132",
        taxable_amount: 0.07,
        tax_amount: 0
      }
    ])
    assert.deepStrictEqual(
      items.map((line) => line.tax_rates[0]?.country),
      ["DE", "CY", undefined]
    )
  })
})
