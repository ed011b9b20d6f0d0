import { assert, describe, it } from "vitest"
import { Schema } from "effect"
import { CurrencyCode, exponentOf } from "../../src/kernel/Currency.ts"

const isCurrency = Schema.is(CurrencyCode)

describe("CurrencyCode", () => {
  it("accepts active ISO 4217 codes in upper case", () => {
    for (const code of ["EUR", "USD", "JPY", "BHD", "XAF", "XCG"]) assert.isTrue(isCurrency(code), code)
    for (const code of ["eur", "EURO", "ABC", "DEM", "", " EUR"]) assert.isFalse(isCurrency(code), code)
  })

  it("refuses codes in which nothing can be paid: metals, the SDR, testing, no currency", () => {
    for (const code of ["XAU", "XDR", "XTS", "XXX"]) assert.isFalse(isCurrency(code), code)
  })

  it("has a message for the field", () => {
    assert.throws(() => Schema.decodeSync(CurrencyCode)("eur"), "must be a valid ISO 4217 currency code.")
  })
})

describe("exponentOf", () => {
  it("returns the currency's decimals", () => {
    const exponents = ["JPY", "EUR", "BHD", "CLF", "ISK"].map((code) => exponentOf(CurrencyCode.make(code)))
    assert.deepStrictEqual(exponents, [0, 2, 3, 4, 0])
  })
})
