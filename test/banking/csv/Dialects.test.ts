import { assert, describe, it } from "vitest"
import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { parseCsv } from "../../../src/banking/csv/Csv.ts"
import { addsUp, keptLines } from "../../../src/banking/records/KeptLines.ts"
import { amountOf, dialect, type Dialect, written } from "./Dialects.ts"
import { runs } from "../../support/service/Runs.ts"

/** Number of random files. The variable `CSV_DIALECTS` sets another number, for example 100,000. */
const files = Number(process.env["CSV_DIALECTS"] ?? runs(3_000))
const options = { currency: CurrencyCode.make("EUR"), iban: "BE68539007547034", mapping: undefined }

/** Returns "exact", "refused" or "flagged"; fails if the reader got a value wrong without reporting it. */
const outcomeOf = (of: Dialect): string => {
  const { booked, text } = written(of)
  const read = parseCsv(text, options)
  if (Result.isFailure(read)) return "refused"
  const { errors, reading, statements } = read.success
  const [statement] = statements
  if (errors.length > 0 || statement === undefined) return "flagged"
  const { closing, lines, opening } = statement
  if (opening !== null && closing !== null && !addsUp({ opening, lines: keptLines(lines), closing })) return "flagged"
  const expected = booked.map(({ cents, day, iban, name }) => [day, amountOf(cents), name, iban].join(" "))
  // A name in a column without a known header stays in the text of the payment.
  const nameOf = (name: string | null, text: string, index: number) =>
    name ??
    ((of.headers === "unknown" || of.headers === "none") && text.includes(booked[index]?.name ?? "")
      ? (booked[index]?.name ?? "")
      : "")
  const found = lines.map(({ amount, booking_date, counterparty_iban, counterparty_name, remittance_text }, index) =>
    [
      booking_date,
      BigDecimal.format(amount),
      nameOf(counterparty_name, remittance_text, index),
      counterparty_iban ?? ""
    ].join(" ")
  )
  if (reading?.sign.proof === "none" && JSON.stringify(found) !== JSON.stringify(expected)) return "flagged"
  assert.deepStrictEqual(found, expected, text)
  for (const [index, { text: wanted }] of booked.entries()) {
    if (of.headers !== "unknown" && of.headers !== "none") assert.include(lines[index]?.remittance_text, wanted, text)
  }
  return "exact"
}

describe("parseCsv of random dialects", () => {
  it(`reads ${files} files exactly, or refuses or flags them`, { timeout: 3_600_000 }, () => {
    const counts = new Map<string, number>()
    fc.assert(
      fc.property(dialect, (of) => {
        const outcome = outcomeOf(of)
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      }),
      { numRuns: files }
    )
    // Usually about 40 % of the random files are read exactly. The minimum would reveal a reader that refuses too many
    // files.
    const share = (counts.get("exact") ?? 0) / files
    assert.isAtLeast(share, 0.33, JSON.stringify(Object.fromEntries(counts)))
  })
})
