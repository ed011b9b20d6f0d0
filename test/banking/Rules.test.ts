import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Exit, Result, Schema } from "effect"
import * as fc from "fast-check"
import { Condition, ConditionInput, type Subject, tester } from "../../src/banking/rules/Condition.ts"
import { linearRegex } from "../../src/banking/rules/LinearRegex.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"

const line: Subject = {
  amount: BigDecimal.fromStringUnsafe("-12.50"),
  currency: Schema.decodeSync(CurrencyCode)("EUR"),
  counterparty_name: "KBC  Bänk NV",
  counterparty_iban: "BE71096123456769",
  remittance_text: "FRAIS de gestion 2026/01",
  reference: "+++020/2600/04222+++"
}
const input = Schema.decodeUnknownExit(ConditionInput)
/** Asked of the condition as it is stored. */
const holds = (condition: object) => {
  const stored = Schema.encodeSync(Condition)(Schema.decodeSync(ConditionInput)(condition))
  return tester(Schema.decodeSync(Condition)(stored))(line)
}
const problem = (condition: object) => Exit.match(input(condition), { onFailure: String, onSuccess: () => "" })

describe("a condition", () => {
  it("compares texts without case, accents and double spaces, whatever the operator", () => {
    assert.isTrue(holds({ type: "counterparty_equals", value: "kbc bank nv" }))
    assert.isTrue(holds({ type: "counterparty_starts_with", value: "KBC BÄ" }))
    assert.isTrue(holds({ type: "remittance_contains", value: "Frais  De" }))
    assert.isFalse(holds({ type: "remittance_equals", value: "frais" }))
    assert.isTrue(holds({ type: "remittance_regex", value: "^Fraïs\\b.*\\d{4}/01$" }))
    assert.isTrue(holds({ type: "reference_equals", value: "020260004222" }))
    assert.isTrue(holds({ type: "counterparty_iban", value: "BE71 0961 2345 6769" }))
  })

  it("compares amounts without their sign, ends included, and can be turned around", () => {
    assert.isTrue(holds({ type: "amount_equals", value: 12.5 }))
    assert.isTrue(holds({ type: "amount_min", value: 12.5 }))
    assert.isFalse(holds({ type: "amount_max", value: 12.49 }))
    assert.isTrue(holds({ type: "amount_between", min: 12.5, max: 13 }))
    assert.isFalse(holds({ type: "currency_equals", value: "EUR", negate: true }))
  })

  it("is understood as field, operator and value, too", () => {
    assert.isTrue(holds({ field: "remittance", operator: "contains", value: "gestion" }))
    assert.isTrue(holds({ field: "amount", operator: "between", value: [10, 20] }))
  })

  it("is refused when its type is unknown or its value cannot be meant", () => {
    assert.match(problem({ type: "moon_phase", value: "full" }), /must have a type that is one of/)
    assert.match(problem({ type: "counterparty_contains", value: " " }), /may not be empty/)
    assert.match(problem({ type: "amount_between", min: 2, max: 1 }), /must be at least min/)
    assert.match(problem({ type: "remittance_regex", value: "(a" }), /not closed/)
    assert.match(problem({ type: "remittance_regex", value: "(?=a)" }), /look around/)
    assert.match(problem({ type: "remittance_regex", value: "(a)\\1" }), /unknown escape/)
    assert.match(problem({ type: "remittance_regex", value: "a".repeat(201) }), /200 characters/)
    assert.match(problem({ type: "remittance_regex", value: "((a{99}){99}){99}" }), /too complex/)
  })
})

const matches = (source: string, text: string) => Result.getOrThrow(linearRegex(source))(text)

describe("linearRegex", () => {
  it("agrees with the expressions of the language it is a part of", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "\\W", "(?:a|b)", "(a|)", "^", "$", "\\b")
    const quantifier = fc.constantFrom("", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?")
    const source = fc
      .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 6 })
      .map((parts) =>
        parts
          .map(([one, times]) => (/[\^$]|\\b/.test(one) && one.length < 3 && !one.startsWith("[") ? one : one + times))
          .join("")
      )
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom("a", "b", "1", " "), maxLength: 8 }),
        (expression, text) => {
          assert.strictEqual(
            matches(expression, text),
            new RegExp(expression, "u").test(text),
            `${expression} on ${text}`
          )
        }
      ),
      { numRuns: 500 }
    )
  })

  it("takes time in proportion to the text where a backtracking engine would never end", () => {
    for (const source of ["(a*)*b", "(a|aa)+$", "(.*a){20}b"]) assert.isFalse(matches(source, `${"a".repeat(2_000)}!`))
  })

  it("answers any source with a matcher or a problem", () => {
    const piece = fc.constantFrom(...Array.from("()[]{}*+?|\\^$.,-ab019:<=!"))
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 30 }), (source) => {
        const compiled = linearRegex(source)
        if (Result.isSuccess(compiled)) compiled.success("ab0")
      }),
      { numRuns: 500 }
    )
  })
})
