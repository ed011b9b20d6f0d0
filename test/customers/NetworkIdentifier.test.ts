import { assert, describe, it } from "vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { checkIdentifier, identifierScheme } from "../../src/customers/identifiers/NetworkIdentifier.ts"

const isRight = (scheme: string, value: string) => Option.isNone(checkIdentifier(scheme, value))

const with_check_digits = [
  ..."0002 0007 0009 0088 0183 0184 0191 0192 0196 0204 0208 0210 0211 0216 0225 0244 0245 0246".split(" "),
  ..."9910 9914 9920 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9937 9938 9939 9943".split(" "),
  ..."9944 9945 9946 9947 9949 9950 9957".split(" ")
]
const without_check_digits = ["0060", "0106", "0190", "0201", "0242", "0248", "9936"]
const example = (scheme: string) => Option.getOrThrow(identifierScheme(scheme)).example

/** Numbers of every kind that the countries of the EU issue. For Danish and Swedish VAT numbers, no scheme exists. */
const of_the_union = [
  ["AT", "9914", "ATU13585627"],
  ["BE", "9925", "BE0428759497 BE1000000021"],
  ["BG", "9926", "BG175074752 BG831642181 BG7523169263 BG5041001234"],
  ["HR", "9934", "HR33392005961"],
  ["CY", "9928", "CY10259033P"],
  ["CZ", "9929", "CZ25123891 CZ7103192745 CZ640903926"],
  ["DK", "0184", "13585628 DK13585628"],
  ["EE", "9931", "EE100931558"],
  ["FI", "0216", "003720774740 003720774740ABC01"],
  ["FR", "9957", "FR40303265045 FR23334175221 FRK7399859412"],
  ["DE", "9930", "DE136695976"],
  ["GR", "9933", "EL094259216 EL023456780"],
  ["HU", "9910", "HU12892312"],
  ["IE", "9935", "IE6433435F IE6433435OA IE8D79739I"],
  ["IT", "0211", "IT00743110157"],
  ["LV", "9939", "LV40003521600 LV16117519997 LV32000000008"],
  ["LT", "9937", "LT119511515 LT100001919017"],
  ["LU", "9938", "LU15027442"],
  ["MT", "9943", "MT11679112"],
  ["NL", "9944", "NL004495445B01 NL000099998B57"],
  ["PL", "9945", "PL8567346215"],
  ["PT", "9946", "PT501964843"],
  ["RO", "9947", "RO18547290"],
  ["SK", "9950", "SK2022749619 SK1020000058"],
  ["SI", "9949", "SI50223054"],
  ["ES", "9920", "ESB58378431 ES54362315K ESX2482300W"],
  ["SE", "0007", "5560360793"]
] as const

describe("checkIdentifier", () => {
  it.each(of_the_union)(
    "accepts the numbers of %s under scheme %s, and under no other prefix",
    (country, scheme, numbers) => {
      assert.isTrue(Option.getOrThrow(identifierScheme(scheme)).country === country)
      for (const value of numbers.split(" ")) {
        assert.isTrue(isRight(scheme, value), value)
        assert.isFalse(isRight(scheme, `XX${value.slice(2)}`), value)
      }
    }
  )

  it.each(["0037", "0193", "0203", "0212", "0213", "0215", "9901", "9955"])(
    "refuses scheme %s, under which nobody can be on the network any more",
    (scheme) => {
      assert.include(Option.getOrThrow(checkIdentifier(scheme, "2077474-0")), `scheme ${scheme}`)
    }
  )

  it.each(["0240", "0158", "MY:OWN"])(
    "accepts any identifier of scheme %s, which has no rules of its own",
    (scheme) => {
      assert.isTrue(isRight(scheme, "12345"))
    }
  )

  it("detects wrong check digits in numbers of the rarer kinds", () => {
    for (const value of ["BG831642182", "BG7523169264", "BG5041001235"]) assert.isFalse(isRight("9926", value), value)
    for (const value of ["CZ640903927", "CZ6409039261"]) assert.isFalse(isRight("9929", value), value)
    for (const value of ["LV32000000009", "LV32000000018"]) assert.isFalse(isRight("9939", value), value)
    for (const value of ["SK1020000059", "SK0020000024", "SK1050000039"]) assert.isFalse(isRight("9950", value), value)
  })

  it("requires the Greek prefix, which is not the ISO code", () => {
    assert.isFalse(isRight("9933", "GR094259216"))
  })

  it.each([...with_check_digits, ...without_check_digits])("accepts the example of scheme %s", (scheme) => {
    assert.isTrue(isRight(scheme, example(scheme)))
  })

  it.each(with_check_digits)("detects most single wrong digits in an identifier of scheme %s", (scheme) => {
    const value = example(scheme)
    const altered = Array.from(value).flatMap((right, position) =>
      /\d/.test(right)
        ? Array.from("0123456789", (wrong) => value.slice(0, position) + wrong + value.slice(position + 1))
        : []
    )
    const unnoticed = altered.filter((text) => text !== value && isRight(scheme, text))
    assert.isBelow(unnoticed.length / altered.length, 0.2)
  })

  it("describes the format of the scheme in its message", () => {
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

  it("accepts establishments of La Poste, whose SIRET does not follow Luhn", () => {
    assert.isTrue(isRight("FR:SIRET", "35600000049837"))
    assert.isFalse(isRight("FR:SIRET", "35600000049838"))
  })

  it("accepts the four forms of a French address, and no SIRET of another company", () => {
    for (const value of [
      "732829320",
      "732829320_73282932000074",
      "732829320_73282932000074_SERVICE-1",
      "200058485_20005848500018_FACTURES_PUBLIQUES",
      "732829320_SALES"
    ]) {
      assert.isTrue(isRight("FR:CTC", value), value)
    }
    for (const value of [
      "732829321",
      "732829320_35600000000048",
      "732829320_35600000000048_SERVICE_1",
      "732829320_73282932000074_",
      "732829320_SALES_1",
      "732829320_",
      "732829320_a b"
    ]) {
      assert.isFalse(isRight("FR:CTC", value), value)
    }
  })

  it("checks only the format under an unknown scheme", () => {
    assert.isTrue(isRight("0195", "T08GB0001A"))
    for (const value of ["", "a b", "x".repeat(51), "é", "a\u0000"]) assert.isFalse(isRight("0195", value))
  })

  it("answers for any text in any scheme without an exception", () => {
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
