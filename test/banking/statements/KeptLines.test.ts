import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { keptLines, sumOf } from "../../../src/banking/records/KeptLines.ts"
import { StatementLine } from "../../../src/banking/records/Statement.ts"

const decode = Schema.decodeUnknownSync(Schema.toType(StatementLine))

/**
 * Maximum number of different lines, and of repetitions of each line. The 2,800 lines in total do not fit into one
 * compressed block.
 */
const [lines_max, times_max] = [40, 70]

const text = fc.option(fc.string({ unit: "grapheme" }))
const line = fc
  .record({
    day: fc.integer({ min: 1, max: 28 }),
    cents: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
    currency: fc.constantFrom("EUR", "USD"),
    counterparty_name: text,
    counterparty_iban: text,
    remittance_text: fc.string({ unit: "grapheme" }),
    reference: text,
    bank_id: text
  })
  .map(({ cents, day, ...rest }) =>
    decode({
      booking_date: `2026-02-${String(day).padStart(2, "0")}`,
      value_date: null,
      amount: BigDecimal.make(cents, 2),
      ...rest
    })
  )

describe("keptLines", () => {
  it("returns every line, and the facts about all lines", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: lines_max }), fc.integer({ min: 1, max: times_max }), (some, times) => {
        const lines = Array.from({ length: times }, () => some).flat()
        const kept = keptLines(lines)
        assert.deepStrictEqual(
          [...kept].map((each) => ({ ...each, amount: BigDecimal.format(each.amount) })),
          lines.map((each) => ({ ...each, amount: BigDecimal.format(each.amount) }))
        )
        const sum = BigDecimal.sumAll(lines.map(({ amount }) => amount))
        assert.isTrue(BigDecimal.equals(sumOf(kept), sum))
        const days = lines.map(({ booking_date }) => booking_date).toSorted()
        assert.deepStrictEqual(
          [kept.count, kept.first_day, kept.last_day, [...kept.currencies]],
          [lines.length, days[0] ?? null, days.at(-1) ?? null, [...new Set(lines.map(({ currency }) => currency))]]
        )
        const moved = lines.filter(({ amount }) => !BigDecimal.isZero(amount)).length
        assert.strictEqual(kept.credits.count + kept.debits.count, moved)
      }),
      { numRuns: 20 }
    )
  })
})
