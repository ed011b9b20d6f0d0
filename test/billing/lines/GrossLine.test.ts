import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Exit, Schema } from "effect"
import * as fc from "fast-check"
import { comingTo, lineInput, netOf } from "../../../src/billing/lines/GrossLine.ts"
import type { TaxRate } from "../../../src/billing/lines/Tax.ts"
import { price } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode, exponentOf } from "../../../src/kernel/Currency.ts"
import { TaxRateId } from "../../../src/kernel/Ids.ts"

const decimal = BigDecimal.fromStringUnsafe
const currency = Schema.decodeSync(CurrencyCode)

const rate = (percent: string, id: number): TaxRate => ({
  id: TaxRateId.make(id),
  name: "VAT",
  rate: decimal(percent),
  category: "S"
})

const settled = (gross: string, percents: ReadonlyArray<string>, code = "EUR") => {
  const rates = percents.map((percent, index) => rate(percent, index + 1))
  const money = { currency: currency(code), gross: decimal(gross) }
  const line = lineInput(
    { description: "Sold", tax_rate_ids: [], tax_exempt: false, tax_exemption_reason: null },
    netOf(money, rates)
  )
  return Effect.runSyncExit(comingTo(price([{ ...line, tax_rates: rates }], money.currency), money))
}

const sumsOf = (gross: string, percents: ReadonlyArray<string>, code?: string) => {
  const exit = settled(gross, percents, code)
  if (Exit.isFailure(exit)) return "refused"
  const { rounding_adjustment, subtotal, tax_total, total } = exit.value
  return [subtotal, tax_total, rounding_adjustment, total].map(BigDecimal.format).join(" ")
}

describe("an invoice with the total that was received", () => {
  it("has a cent of rounding where no net amount gives the gross one", () => {
    assert.strictEqual(sumsOf("100", ["21"]), "82.64 17.35 0.01 100")
    assert.strictEqual(sumsOf("121", ["21"]), "100 21 0 121")
    assert.strictEqual(sumsOf("100", []), "100 0 0 100")
    assert.strictEqual(sumsOf("1000", ["10"], "JPY"), "909 91 0 1000")
    assert.strictEqual(sumsOf("0.01", ["21"]), "0.01 0 0 0.01")
  })

  it("is refused when more than rounding is between its parts and its total", () => {
    assert.strictEqual(
      sumsOf(
        "1",
        Array.from({ length: 10 }, (_, index) => `5.5${index}`)
      ),
      "refused"
    )
  })

  it("reaches every amount, with any one to three rates and any currency", () => {
    const percent = fc.integer({ min: 0, max: 5_000 }).map((hundredths) => String(hundredths / 100))
    const amount = fc.tuple(fc.constantFrom("EUR", "JPY", "KWD"), fc.bigInt({ min: 1n, max: 10n ** 11n }))
    fc.assert(
      fc.property(amount, fc.array(percent, { minLength: 1, maxLength: 3 }), ([code, units], percents) => {
        const exponent = exponentOf(currency(code))
        const exit = settled(BigDecimal.format(BigDecimal.make(units, exponent)), percents, code)
        if (Exit.isFailure(exit)) return assert.fail(`${units} of ${code} at ${percents.join(" and ")}`)
        const { rounding_adjustment, subtotal, tax_total, total } = exit.value
        assert.isTrue(BigDecimal.equals(total, BigDecimal.sumAll([subtotal, tax_total, rounding_adjustment])))
        assert.isTrue(BigDecimal.equals(total, BigDecimal.make(units, exponent)))
      }),
      { numRuns: 500 }
    )
  })
})
