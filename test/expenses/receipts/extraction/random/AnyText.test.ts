import * as fc from "fast-check"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Extraction } from "../../../../../src/expenses/receipts/records/Extraction.ts"
import { extract } from "../../../../../src/expenses/receipts/extraction/Extractor.ts"
import type { Reading, Word } from "../../../../../src/platform/ocr/engines/Reading.ts"
import { misread } from "./Misreading.ts"
import { diceOf, randomReceipt } from "./RandomReceipt.ts"
import { hintsOf, photo, textPdf } from "../Readings.ts"

const seed = 20_260_321
/**
 * A receipt of 500 words takes 2 ms of CPU time, which does not depend on the load of the machine as elapsed time does.
 */
const receipt_cpu_ms_max = 200
const noise_cpu_ms_max = 4_000
const noise_words = 5_000

const cpuSince = (began: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(began)
  return (user + system) / 1_000
}

const isExtraction = Schema.is(Extraction)

const texts = [
  "TOTAL",
  "26,45",
  "€",
  "1.234,56",
  "21%",
  "27/02/2026",
  "TVA",
  "CHF",
  "0,00",
  "x",
  "BAR",
  "-",
  "12:41",
  "GmbH"
]
const word: fc.Arbitrary<Word> = fc.record({
  text: fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 30, unit: "grapheme" })),
  x0: fc.double({ min: -10, max: 4_000, noNaN: true }),
  y0: fc.double({ min: -10, max: 4_000, noNaN: true }),
  x1: fc.double({ min: -10, max: 4_000 }),
  y1: fc.double({ min: -10, max: 4_000 }),
  confidence: fc.double({ min: 0, max: 1, noNaN: true })
})
const line = fc.record({ words: fc.array(word, { maxLength: 8 }) })
const pass = fc.record({
  name: fc.constantFrom("flattened" as const, "threshold" as const, "text_layer" as const),
  lines: fc.array(line, { maxLength: 30 })
})
const reading: fc.Arbitrary<Reading> = fc.record({
  source: fc.constantFrom("ocr" as const, "text_layer" as const),
  pages: fc.array(
    fc.record({ width: fc.nat(5_000), height: fc.nat(5_000), passes: fc.array(pass, { maxLength: 2 }) }),
    { maxLength: 3 }
  )
})

describe("extract, for any words", () => {
  it("gives an extraction that can be stored, and is done only when everything is certain", async () => {
    const countries = fc.constantFrom("BE", "US", "CH", "JP", "", "XX")
    const currencies = fc.constantFrom("EUR", "USD", "JPY", "BHD", "???")
    await fc.assert(
      fc.asyncProperty(reading, countries, currencies, async (found, country, currency) => {
        const extraction = await extract(found, hintsOf(country, currency))
        expect(isExtraction(extraction)).toBe(true)
        expect(JSON.parse(JSON.stringify(extraction))).toEqual(extraction)
        if (extraction.status !== "done") return
        const { amount = 0, currency: sure = 0, expense_date = 0 } = extraction.confidence
        expect(Math.min(amount, sure, expense_date)).toBeGreaterThanOrEqual(0.9)
        expect(extraction.checks.every(({ passed }) => passed)).toBe(true)
      }),
      { numRuns: 300, seed }
    )
  })

  const noises: ReadonlyArray<readonly [string, (dice: () => number) => string]> = [
    ["letters", (dice) => Array.from({ length: 6 }, () => String.fromCharCode(97 + dice() * 26)).join("")],
    ["amounts", (dice) => (dice() * 1_000).toFixed(2)],
    ["keywords", (dice) => texts[Math.floor(dice() * texts.length)] ?? ""],
    ["dates", (dice) => `${Math.ceil(dice() * 28)}/${Math.ceil(dice() * 12)}/2026`],
    ["long digits", () => "1".repeat(80)],
    ["separators", () => "1.".repeat(40)],
    ["currencies", () => "€€€€"]
  ]
  it.each(noises)(`ends soon on ${noise_words} words of noise: %s`, async (_, noise) => {
    const dice = diceOf(seed)
    const rows = Array.from({ length: noise_words / 10 }, () => Array.from({ length: 10 }, () => noise(dice)).join(" "))
    for (const text of [rows.join("\n"), rows.map((row) => row.replaceAll(" ", "      ")).join("\n")]) {
      const began = process.cpuUsage()
      await extract(photo(text), hintsOf("BE", "EUR"))
      expect(cpuSince(began)).toBeLessThan(noise_cpu_ms_max)
    }
  })

  it("needs little time for a long receipt", async () => {
    const items = Array.from({ length: 120 }, (_, index) => `Article no ${index}     ${(index / 7 + 1).toFixed(2)} A`)
    const text = `Épicerie Dupont\n27/02/2026 12:41\n${items.join("\n")}\nTOTAL 1140.00`
    await extract(photo(text), hintsOf("FR", "EUR"))
    const began = process.cpuUsage()
    await extract(photo(text), hintsOf("FR", "EUR"))
    expect(cpuSince(began)).toBeLessThan(receipt_cpu_ms_max)
  })
})

/** First of the seeds that were not used to fit the weights of the extraction (`scripts/bench/ocr/fitting/fit.ts`). */
const first_seed = 3_000_001
const receipts = 150

describe("extract, for random receipts", () => {
  it("reads all amounts, dates and currencies of clean text", async () => {
    for (let index = 0; index < receipts; index++) {
      const { country, currency, text, truth } = randomReceipt(first_seed + index)
      const { fields } = await extract(textPdf(text), hintsOf(country, currency))
      const { amount, date: expense_date } = truth
      expect(fields, text).toMatchObject({ amount, expense_date, currency })
    }
  })

  it("never marks a wrong amount as done, whatever was misread", async () => {
    let done = 0
    const wrong: Array<string> = []
    for (let index = 0; index < receipts * 2; index++) {
      const { country, currency, text, truth } = randomReceipt(first_seed + index)
      const extraction = await extract(
        misread(text, first_seed + index, [0.005, 0.015][index % 2] ?? 0),
        hintsOf(country, currency)
      )
      if (extraction.status !== "done") continue
      done++
      if (extraction.fields.amount !== truth.amount) wrong.push(`${first_seed + index}: ${extraction.fields.amount}`)
    }
    expect(wrong).toEqual([])
    expect(done).toBeGreaterThan(receipts)
  })
})
