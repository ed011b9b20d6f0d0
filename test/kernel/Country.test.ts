import { assert, describe, it } from "vitest"
import { Schema } from "effect"
import { CountryCode, subdivisionBelongsTo, SubdivisionCode } from "../../src/kernel/Country.ts"

describe("CountryCode", () => {
  it("accepts assigned alpha-2 codes in upper case only", () => {
    const isCountry = Schema.is(CountryCode)
    for (const code of ["BE", "FR", "GB", "US"]) assert.isTrue(isCountry(code), code)
    for (const code of ["be", "UK", "EU", "BEL", "ZZ", ""]) assert.isFalse(isCountry(code), code)
  })
})

describe("SubdivisionCode", () => {
  it("accepts existing ISO 3166-2 codes, also of nested subdivisions", () => {
    const isSubdivision = Schema.is(SubdivisionCode)
    for (const code of ["BE-VOV", "US-CA", "FR-75C", "FR-IDF"]) assert.isTrue(isSubdivision(code), code)
    for (const code of ["BE-XXX", "CA", "US_CA", "be-vov"]) assert.isFalse(isSubdivision(code), code)
    assert.throws(() => Schema.decodeSync(SubdivisionCode)("BE-XXX"), "must be a valid ISO 3166-2 subdivision code.")
  })

  it("belongs to the country it names and to no other", () => {
    const ghent = SubdivisionCode.make("BE-VOV")
    assert.isTrue(subdivisionBelongsTo(ghent, CountryCode.make("BE")))
    assert.isFalse(subdivisionBelongsTo(ghent, CountryCode.make("NL")))
  })
})
