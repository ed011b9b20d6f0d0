import { assert, describe, it } from "vitest"
import { BigDecimal, Exit, Result, Schema } from "effect"
import * as fc from "fast-check"
import { Condition, ConditionInput } from "../../../src/banking/rules/Condition.ts"
import { compileRegex, problemOf } from "../../../src/banking/rules/Regex.ts"
import { ruleEngine, type RuledLine, type RuleTest, trialOf } from "../../../src/banking/rules/RuleEngine.ts"
import { BankAccountId, BankRuleId } from "../../../src/kernel/Ids.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"

const line: RuledLine = {
  bank_account_id: BankAccountId.make(1),
  amount: BigDecimal.fromStringUnsafe("-12.50"),
  currency: Schema.decodeSync(CurrencyCode)("EUR"),
  counterparty_name: "KBC  Bänk NV",
  counterparty_iban: "BE71096123456769",
  remittance_text: "FRAIS de gestion 2026/01",
  reference: "+++020/2600/04222+++"
}
const input = Schema.decodeUnknownExit(ConditionInput)

const ruleOf = (id: number, ...conditions: ReadonlyArray<object>) => ({
  id: BankRuleId.make(id),
  bank_account_id: null,
  direction: "any" as const,
  document_type: null,
  // Encodes and decodes each condition, as storing and reading it does.
  conditions: conditions.map((condition) => {
    const stored = Schema.encodeSync(Condition)(Schema.decodeSync(ConditionInput)(condition))
    return Schema.decodeSync(Condition)(stored)
  })
})
const engineOf = (...rules: ReadonlyArray<RuleTest>) => ruleEngine(rules.map(trialOf))
const testRegex = (pattern: string, text: string) => Result.getOrUndefined(compileRegex(pattern))?.test(text)
const options = { testRegex, isOver: () => false, isSlow: () => false, refused: () => {} }
const holds = (condition: object, changes: Partial<RuledLine> = {}) => {
  const found = engineOf(ruleOf(1, condition))({ ...line, ...changes }, 0, options)
  return found._tag === "Decided" && found.rule_id !== null
}
const problem = (condition: object) => Exit.match(input(condition), { onFailure: String, onSuccess: () => "" })

describe("a condition", () => {
  it("compares texts ignoring case, accents and double spaces, with every operator", () => {
    assert.isTrue(holds({ type: "counterparty_equals", value: "kbc bank nv" }))
    assert.isTrue(holds({ type: "counterparty_starts_with", value: "KBC BÄ" }))
    assert.isTrue(holds({ type: "remittance_contains", value: "Frais  De" }))
    assert.isFalse(holds({ type: "remittance_equals", value: "frais" }))
    assert.isTrue(holds({ type: "remittance_regex", value: "^Fraïs\\b.*\\d{4}/01$" }))
    assert.isTrue(holds({ type: "remittance_regex", value: "[F-G]RA[ïy]s" }))
    assert.isFalse(holds({ type: "remittance_regex", value: "frais", negate: true }))
    assert.isTrue(holds({ type: "reference_equals", value: "020260004222" }))
    assert.isTrue(holds({ type: "counterparty_iban", value: "BE71 0961 2345 6769" }))
  })

  it("compares the letters and digits of references, of any script, without case and accents", () => {
    const equals = (value: string, reference: string | null) =>
      holds({ type: "reference_equals", value }, { reference })
    assert.isTrue(equals("Réf 12", "REF-12"))
    assert.isTrue(equals("Договор 7/2026", "ДОГОВОР 72026"))
    assert.isFalse(equals("Договор 7/2026", "7/2026"))
    for (const value of ["договор", "契約", "REF 1"]) assert.isFalse(equals(value, null))
    assert.isTrue(holds({ type: "reference_equals", value: "договор", negate: true }, { reference: null }))
  })

  it("needs a letter or a digit to compare with a reference, and matches nothing if an older one has none", () => {
    assert.include(problem({ type: "reference_equals", value: "—" }), "must have a letter or a digit.")
    assert.equal(problem({ type: "remittance_contains", value: "—" }), "")
    const stored = Schema.decodeSync(Condition)({ type: "reference_equals", value: "—" })
    const older = engineOf({ ...ruleOf(1), conditions: [stored] })
    assert.deepEqual(older({ ...line, reference: null }, 0, options), { _tag: "Decided", rule_id: null })
  })

  it("compares absolute amounts, including both ends, and can be negated", () => {
    assert.isTrue(holds({ type: "amount_equals", value: 12.5 }))
    assert.isTrue(holds({ type: "amount_min", value: 12.5 }))
    assert.isFalse(holds({ type: "amount_max", value: 12.49 }))
    assert.isTrue(holds({ type: "amount_between", min: 12.5, max: 13 }))
    assert.isFalse(holds({ type: "currency_equals", value: "EUR", negate: true }))
  })

  it("accepts the alias with field, operator and value", () => {
    assert.isTrue(holds({ field: "remittance", operator: "contains", value: "gestion" }))
    assert.isTrue(holds({ type: null, field: "remittance", operator: "contains", value: "gestion", negate: null }))
    assert.isTrue(holds({ type: "remittance_contains", field: null, operator: null, value: "gestion" }))
    assert.isTrue(holds({ field: "amount", operator: "between", value: [10, 20] }))
  })

  it("is refused when its type is unknown or its value is invalid", () => {
    assert.match(problem({ type: "moon_phase", value: "full" }), /must have a type that is one of/)
    assert.match(problem({ type: "counterparty_contains", value: " " }), /may not be empty/)
    assert.match(problem({ type: "amount_between", min: 2, max: 1 }), /must be at least min/)
    assert.match(problem({ type: "remittance_regex", value: "a".repeat(201) }), /200 characters/)
  })
})

describe("ruleEngine", () => {
  it("pauses when its time is over, and continues with the next rule", () => {
    const other = { type: "remittance_regex", value: "other" }
    const search = engineOf(ruleOf(1, other), ruleOf(2, other), ruleOf(3, { type: "amount_min", value: 1 }))
    let asked = 0
    const paused = search(line, 0, { ...options, isOver: () => ++asked > 1 })
    assert.deepStrictEqual(paused, { _tag: "Paused", next_rule: 1 })
    assert.deepStrictEqual(search(line, 1, options), { _tag: "Decided", rule_id: BankRuleId.make(3) })
    assert.deepStrictEqual(search(line, 3, options), { _tag: "Decided", rule_id: null })
  })

  it("applies no rule whose expression cannot be compiled, even negated, and reports it", () => {
    const refused: Array<number> = []
    const conditions = [{ type: "remittance_regex", value: "(", negate: true }]
    const found = engineOf(ruleOf(7, ...conditions))(line, 0, { ...options, refused: (id) => refused.push(id) })
    assert.deepStrictEqual(found, { _tag: "Decided", rule_id: null })
    assert.deepStrictEqual(refused, [7])
  })
})

const matches = (source: string, text: string) => Result.getOrThrow(compileRegex(source)).test(text)

describe("a regular expression", () => {
  it("agrees with JavaScript wherever both syntaxes mean the same", () => {
    const assertion = fc.constantFrom("^", "$", "\\b", "\\B")
    const letter = fc.constantFrom(
      "a",
      "B",
      "[A-B]",
      "\\x41",
      "b",
      "1",
      " ",
      ".",
      "\\.",
      "[ab]",
      "[^a]",
      "[a-b1]",
      "\\d",
      "\\D",
      "\\w",
      "\\W"
    )
    const quantifier = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?", "{1,3}?")
    const { source } = fc.letrec<{ source: string; part: string; atom: string }>((tie) => ({
      source: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
      part: fc.oneof(
        assertion,
        fc.tuple(tie("atom"), quantifier).map((both) => both.join(""))
      ),
      atom: fc.oneof(
        { depthSize: "small" },
        letter,
        tie("source").map((inner) => `(${inner})`),
        fc.tuple(tie("source"), tie("source")).map(([left, right]) => `(?:${left}|${right})`)
      )
    }))
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", " ", "."), maxLength: 8 })
    fc.assert(
      fc.property(source, text, (expression, remittance) => {
        const expected = new RegExp(expression, "iu").test(remittance)
        assert.strictEqual(matches(expression, remittance), expected, `${expression} on ${remittance}`)
      }),
      { numRuns: 2_000 }
    )
  })

  it("is folded like texts, but its escapes and classes keep their meaning", () => {
    assert.isTrue(matches("Straße", "strasse"))
    assert.isTrue(matches("^(ß)+$", "ssss"))
    assert.isTrue(matches("^ß{2}$", "ssss"))
    assert.isTrue(matches("…$", "wait..."))
    assert.isFalse(matches("…$", "wait"))
    assert.isTrue(matches("\\é", "e"))
    assert.isTrue(matches("^\\p{Lu}\\S$", "ab"))
    assert.isTrue(matches("^[[:upper:]]B[X-Z]\\x41$", "abya"))
    assert.isTrue(matches("^(?P<Day>\\d+)$", "12"))
    assert.isFalse(matches("^\\D+$", "12"))
    assert.isTrue(matches("ＡＢ", "ab"))
  })

  it("is refused with the reason, or with its size and the limit", () => {
    assert.match(problemOf("(a") ?? "", /missing closing \)\.$/)
    for (const source of ["(?=a)", "(a)\\1", "a**", "a{1001}", "[b-a]"]) {
      assert.match(problemOf(source) ?? "", /^must be a regular expression that RE2 accepts: [^`]*\.$/)
    }
    assert.strictEqual(problemOf("((a?){100}){9}b"), "compiles to 3621 instructions; at most 1000 are allowed.")
    assert.isNull(problemOf("^(invoice|facture|rechnung) +[0-9a-z]{1,20}(/\\d{2,4})?$"))
  })

  it("gives a matcher or a problem for any source", () => {
    const piece = fc.constantFrom(...Array.from("()[]{}*+?|\\^$.,-ab019:<=!PpLQEßé…"))
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 30 }), (source) => {
        const compiled = compileRegex(source)
        if (Result.isSuccess(compiled)) compiled.success.test("ab0")
      }),
      { numRuns: 500 }
    )
  })
})
