import { assert, describe, it } from "vitest"
import { BigDecimal, Effect, Schema } from "effect"
import * as fc from "fast-check"
import { complete, ExpenseDraft, type ExpenseFacts } from "../../src/expenses/Expense.ts"
import { drafted, requireAmounts } from "../../src/expenses/ExpenseRules.ts"
import { CurrencyCode, exponentOf } from "../../src/kernel/Currency.ts"
import { ExpenseId } from "../../src/kernel/Ids.ts"
import { fitsExponent } from "../../src/kernel/Money.ts"
import { expenseBody } from "../support/Expenses.ts"

const decode = Schema.decodeUnknownSync(ExpenseDraft)

const factsOf = (changes: object): ExpenseFacts =>
  Effect.runSync(drafted(ExpenseId.make(1), decode(expenseBody(changes))))

const currencies = fc.constantFrom("JPY", "EUR", "BHD", "CLF").map((code) => CurrencyCode.make(code))

const units = (max: bigint) => fc.bigInt({ min: 0n, max })

describe("the split of an expense's tax", () => {
  it("adds up in every currency and at any percentage, and is off by at most half a unit", () => {
    fc.assert(
      fc.property(
        currencies,
        units(10n ** 11n),
        units(10n ** 11n),
        units(100_000_000n),
        fc.boolean(),
        (currency, tax, net, percentage, is_vat_deductible) => {
          const exponent = exponentOf(currency)
          const tax_amount = BigDecimal.make(tax, exponent)
          const amount = BigDecimal.make(tax + net + 1n, exponent)
          const vat_deductible_percentage = BigDecimal.make(percentage, 6)
          const facts = { ...factsOf({}), currency, amount, tax_amount, vat_deductible_percentage, is_vat_deductible }
          Effect.runSync(requireAmounts(facts))
          const expense = complete(facts)
          const { deductible_tax_amount: deductible, non_deductible_tax_amount: rest } = expense
          assert.isTrue(BigDecimal.equals(BigDecimal.sum(deductible, rest), tax_amount))
          assert.isTrue(BigDecimal.equals(BigDecimal.sum(expense.net_amount, tax_amount), amount))
          for (const part of [deductible, rest]) {
            assert.isTrue(fitsExponent(part, exponent))
            assert.isFalse(BigDecimal.isNegative(part))
          }
          if (!is_vat_deductible) return assert.isTrue(BigDecimal.isZero(deductible))
          // The deductible tax is rounded, so it may differ from the exact one by half the smallest unit of the
          // currency. `exact` and `given` are in 10^-8 of that unit.
          const exact = tax * percentage
          const given = BigDecimal.scale(deductible, exponent).value * 100_000_000n
          const off = given > exact ? given - exact : exact - given
          assert.isAtMost(Number(off), 50_000_000)
          // Half a unit is rounded up.
          if (off === 50_000_000n) assert.isTrue(given > exact)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ["EUR", "20.55", 50, "10.28", "10.27"],
    ["EUR", "0.01", 50, "0.01", "0.00"],
    ["EUR", "0.01", 49.999999, "0.00", "0.01"],
    ["EUR", "20.55", 0, "0.00", "20.55"],
    ["EUR", "20.55", 100, "20.55", "0.00"],
    ["JPY", "333", 50, "167", "166"],
    ["BHD", "1.235", 50, "0.618", "0.617"]
  ])("gives, in %s, %s at %d %% as %s and %s", (currency, tax_amount, vat_deductible_percentage, yes, no) => {
    const changes = { currency, amount: 1000, tax_amount, vat_deductible_percentage, is_vat_deductible: true }
    const { deductible_tax_amount, non_deductible_tax_amount } = complete(factsOf(changes))
    assert.isTrue(BigDecimal.equals(deductible_tax_amount, BigDecimal.fromStringUnsafe(yes)))
    assert.isTrue(BigDecimal.equals(non_deductible_tax_amount, BigDecimal.fromStringUnsafe(no)))
  })
})

describe("the tax rows of an expense", () => {
  it("may differ from the total tax by one hundredth for each row, but not more", () => {
    fc.assert(
      fc.property(
        fc.array(units(100_000n), { minLength: 1, maxLength: 20 }),
        fc.bigInt({ min: -25n, max: 25n }),
        (taxes, off) => {
          const sum = taxes.reduce((left, right) => left + right, 0n)
          fc.pre(sum + off >= 0n)
          const tax_amount = BigDecimal.make(sum + off, 2)
          const rows = taxes.map((tax) => ({
            rate: BigDecimal.fromBigInt(100n),
            taxable_amount: BigDecimal.make(tax, 2),
            tax_amount: BigDecimal.make(tax, 2)
          }))
          const facts = { ...factsOf({ amount: 1_000_000 }), tax_amount, tax_rates: rows }
          const isRefused = Effect.runSyncExit(requireAmounts(facts))._tag === "Failure"
          assert.strictEqual(isRefused, (off < 0n ? -off : off) > BigInt(taxes.length))
        }
      )
    )
  })
})
