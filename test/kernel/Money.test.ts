import { assert, describe, it } from "vitest"
import { BigDecimal, Effect, Schema } from "effect"
import * as fc from "fast-check"
import {
  allocate,
  Amount,
  AmountInput,
  Decimal,
  fitsExponent,
  formatAmount,
  isAmountSchema,
  NonNegativeAmount,
  PositiveAmount,
  roundHalfAwayFromZero,
  roundShares,
  zero
} from "../../src/kernel/Money.ts"

const decimal = BigDecimal.fromStringUnsafe
const texts = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => amounts.map(BigDecimal.format)
const refusal = (schema: Schema.Codec<BigDecimal.BigDecimal, number | string>, input: unknown) =>
  Effect.runSync(Effect.flip(Schema.decodeUnknownEffect(schema)(input))).message

/** Any decimal that a `numeric(18,6)` column may hold, as PostgreSQL writes it. */
const numericText = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => BigDecimal.make(units, scale))
  .filter((value) => BigDecimal.isLessThan(BigDecimal.abs(value), decimal("1e12")))

describe("Amount", () => {
  const decode = Schema.decodeUnknownSync(Amount)
  const encode = Schema.encodeSync(Amount)

  it("reads the numeric text of a row and the number of a response to the same value", () => {
    assert.isTrue(BigDecimal.equals(decode("271.360000"), decode(271.36)))
    assert.strictEqual(formatAmount(decode("-0.005000"), 3), "-0.005")
  })

  it("keeps every value of a numeric(18,6) column through decoding", () => {
    fc.assert(fc.property(numericText, (value) => BigDecimal.equals(decode(BigDecimal.format(value)), value)))
  })

  it("encodes to the JSON number nearest to the decimal text, exactly up to 15 digits", () => {
    fc.assert(fc.property(numericText, (value) => encode(value) === Number(BigDecimal.format(value))))
    assert.strictEqual(JSON.stringify(encode(decimal("123456789012.345"))), "123456789012.345")
    assert.strictEqual(encode(BigDecimal.make(3n, -2)), 300)
    assert.strictEqual(encode(BigDecimal.make(5n, 23)), 5e-23)
  })

  it("refuses NaN, exponents, spaces and text that is not a number", () => {
    for (const input of [
      "NaN",
      "Infinity",
      "1e3",
      " 1",
      "1.",
      ".5",
      "",
      "1,5",
      Number.NaN,
      null,
      true,
      {},
      "9".repeat(41)
    ]) {
      assert.strictEqual(refusal(Amount, input), "must be a number.")
    }
  })

  it("is recognised in an API schema also when nullable or optional, and a plain decimal is not", () => {
    assert.isTrue(isAmountSchema(Amount.ast))
    assert.isTrue(Schema.NullOr(Amount).members.some((member) => isAmountSchema(member.ast)))
    assert.isTrue(isAmountSchema(Schema.optionalKey(Amount).ast))
    assert.isFalse(isAmountSchema(Decimal.ast))
  })
})

describe("AmountInput", () => {
  it("reads a number through its shortest text, so that 0.1 is one tenth", () => {
    const decode = Schema.decodeUnknownSync(AmountInput)
    assert.isTrue(BigDecimal.equals(decode(0.1), BigDecimal.make(1n, 1)))
    assert.isTrue(BigDecimal.equals(decode("999999999999.999999"), decimal("999999999999.999999")))
  })

  it("refuses a seventh decimal, written with or without exponent", () => {
    for (const input of ["0.0000001", 1e-7, 1.0000001]) {
      assert.strictEqual(refusal(AmountInput, input), "may not have more than 6 decimal places.")
    }
  })

  it("refuses 10^12 and more", () => {
    for (const input of [1e12, "1000000000000", "-1000000000000", 1e300]) {
      assert.strictEqual(refusal(AmountInput, input), "must be less than 1000000000000.")
    }
  })

  it("refuses zero where an amount must be positive, and a negative one where it must not be", () => {
    assert.strictEqual(refusal(PositiveAmount, 0), "must be greater than 0.")
    assert.strictEqual(refusal(NonNegativeAmount, "-0.01"), "must be at least 0.")
    assert.isTrue(BigDecimal.isZero(Schema.decodeSync(NonNegativeAmount)(0)))
  })
})

describe("formatAmount", () => {
  it("writes exactly the currency's decimals", () => {
    assert.deepStrictEqual(
      [formatAmount(decimal("100"), 2), formatAmount(decimal("2126.0"), 0), formatAmount(decimal("0.865"), 3)],
      ["100.00", "2126", "0.865"]
    )
    assert.strictEqual(formatAmount(decimal("-0.05"), 2), "-0.05")
  })
})

describe("roundHalfAwayFromZero", () => {
  it("rounds halves away from zero on both sides, and keeps values that need no rounding", () => {
    const rounded = ["1.005", "-1.005", "1.00499", "2.5", "7"].map((text) => roundHalfAwayFromZero(decimal(text), 2))
    assert.deepStrictEqual(texts(rounded), ["1.01", "-1.01", "1", "2.5", "7"])
  })

  it("agrees with BigDecimal's half-from-zero for any value", () => {
    fc.assert(
      fc.property(numericText, fc.integer({ min: 0, max: 4 }), (value, scale) =>
        BigDecimal.equals(
          roundHalfAwayFromZero(value, scale),
          BigDecimal.round(value, { scale, mode: "half-from-zero" })
        )
      )
    )
  })
})

describe("fitsExponent", () => {
  it("looks at the value, not at trailing zeros", () => {
    assert.isTrue(fitsExponent(decimal("100.00"), 0))
    assert.isFalse(fitsExponent(decimal("1.50"), 0))
    assert.isTrue(fitsExponent(decimal("1.235"), 3))
    assert.isFalse(fitsExponent(decimal("1.235"), 2))
  })
})

describe("allocate", () => {
  it("gives the remaining units to the largest remainders, and among equals to the first", () => {
    assert.deepStrictEqual(texts(allocate(decimal("100"), [1, 1, 1].map(BigDecimal.fromNumberUnsafe), 2)), [
      "33.34",
      "33.33",
      "33.33"
    ])
    assert.deepStrictEqual(texts(allocate(decimal("50"), ["65.36", "106", "100"].map(decimal), 2)), [
      "12.04",
      "19.53",
      "18.43"
    ])
  })

  it("splits evenly when all weights are zero", () => {
    assert.deepStrictEqual(texts(allocate(decimal("5"), [zero, zero], 0)), ["3", "2"])
    assert.deepStrictEqual(allocate(decimal("5"), [], 0), [])
  })

  it("sums exactly to the total for any weights and exponent, each less than one unit from its share", () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 30 })
    const exponents = fc.constantFrom(0, 2, 3)
    fc.assert(
      fc.property(weights, exponents, fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (units, exponent, total) => {
        const parts = allocate(
          BigDecimal.make(total, exponent),
          units.map((unit) => BigDecimal.make(unit, 4)),
          exponent
        )
        const sum = units.reduce((left, right) => left + right, 0n)
        assert.isTrue(BigDecimal.equals(BigDecimal.sumAll(parts), BigDecimal.make(total, exponent)))
        for (const [index, part] of parts.entries()) {
          const off = sum === 0n ? 0n : part.value * sum - total * (units[index] ?? 0n)
          assert.isTrue(off < sum || sum === 0n)
          assert.isTrue(off > -sum || sum === 0n)
        }
      })
    )
  })
})

describe("roundShares", () => {
  it("rounds shares so that they sum to the rounded sum, also with negative shares among them", () => {
    assert.deepStrictEqual(texts(roundShares(["2.002", "2.002", "2.002"].map(decimal), 2)), ["2.01", "2", "2"])
    assert.deepStrictEqual(texts(roundShares(["20", "-19.998"].map(decimal), 2)), ["20", "-20"])
  })
})
