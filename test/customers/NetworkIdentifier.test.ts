import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { checkIdentifier, identifierScheme } from "../../src/customers/NetworkIdentifier.ts"

const isRight = (scheme: string, value: string) => Option.isNone(checkIdentifier(scheme, value))

const with_check_digits = [
  ..."0002 0007 0009 0088 0183 0184 0191 0192 0196 0204 0208 0210 0211 0212 0213 0225".split(" "),
  ..."9910 9914 9920 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9937 9938 9939 9943".split(" "),
  ..."9944 9945 9946 9947 9949 9950 9957".split(" ")
]
const without_check_digits = ["0060", "0106", "0190", "0201", "9936"]
const example = (scheme: string) => Option.getOrThrow(identifierScheme(scheme)).example

describe("checkIdentifier", () => {
  it.each([...with_check_digits, ...without_check_digits])("accepts the example of scheme %s", (scheme) => {
    assert.isTrue(isRight(scheme, example(scheme)))
  })

  it.each(with_check_digits)("notices most single wrong digits in an identifier of scheme %s", (scheme) => {
    const value = example(scheme)
    const altered = Array.from(value).flatMap((right, position) =>
      /\d/.test(right)
        ? Array.from("0123456789", (wrong) => value.slice(0, position) + wrong + value.slice(position + 1))
        : []
    )
    const unnoticed = altered.filter((text) => text !== value && isRight(scheme, text))
    assert.isBelow(unnoticed.length / altered.length, 0.2)
  })

  it("says what a value of the scheme looks like", () => {
    assert.deepStrictEqual(
      checkIdentifier("0208", "0202239952"),
      Option.some("must be a valid Belgian enterprise number, such as 0202239951.")
    )
  })

  it("refuses separators, other letters and missing prefixes", () => {
    for (const [scheme, value] of [
      ["0208", "BE0202239951"],
      ["0208", "0202.239.951"],
      ["9930", "136695976"],
      ["9930", "de136695976"],
      ["0009", "732 829 320 00074"],
      ["0088", "54123456"]
    ] as const) {
      assert.isFalse(isRight(scheme, value), `${scheme} ${value}`)
    }
  })

  it("accepts La Poste's establishments, whose SIRET does not follow Luhn", () => {
    assert.isTrue(isRight("FR:SIRET", "35600000049837"))
    assert.isFalse(isRight("FR:SIRET", "35600000049838"))
  })

  it("accepts the four forms of a French address, and no SIRET of another company", () => {
    for (const value of [
      "732829320",
      "732829320_73282932000074",
      "732829320_73282932000074_SERVICE-1",
      "732829320_SALES"
    ]) {
      assert.isTrue(isRight("FR:CTC", value), value)
    }
    for (const value of ["732829321", "732829320_35600000000048", "732829320_SALES_1", "732829320_", "732829320_a b"]) {
      assert.isFalse(isRight("FR:CTC", value), value)
    }
  })

  it("checks only the shape under an unknown scheme", () => {
    assert.isTrue(isRight("0195", "T08GB0001A"))
    for (const value of ["", "a b", "x".repeat(51), "é", "a\u0000"]) assert.isFalse(isRight("0195", value))
  })

  it("answers for any text whatever the scheme, without failing", () => {
    const schemes = [...with_check_digits, ...without_check_digits]
    const ofPattern = schemes.map((scheme) => fc.stringMatching(Option.getOrThrow(identifierScheme(scheme)).pattern))
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), ...ofPattern)
    fc.assert(
      fc.property(fc.constantFrom(...schemes), text, (scheme, value) =>
        Option.isOption(checkIdentifier(scheme, value))
      ),
      { numRuns: 1_000 }
    )
  })
})
