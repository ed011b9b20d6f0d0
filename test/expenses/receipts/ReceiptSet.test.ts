import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { sets } from "../../../scripts/bench/ocr/Sets.ts"
import { kinds, languages, media, type Receipt } from "../../../scripts/bench/ocr/receipts/Receipt.ts"
import { planOf, receiptFrom } from "../../../scripts/bench/ocr/receipts/Receipts.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { sampled } from "../../support/service/Runs.ts"

const seeds = Object.values(sets).flat()

const made = new Map<number, Promise<Receipt>>()
/** Returns the receipt of this seed as a PDF with selectable text. Each receipt is made once for all tests. */
const readable = (seed: number) => {
  const { kind } = planOf(seed)
  const receipt = made.get(seed) ?? receiptFrom(seed, kind, kind === "invoice" ? "structured_pdf" : "text_pdf")
  made.set(seed, receipt)
  return receipt
}

const total = (amounts: ReadonlyArray<string>): number =>
  amounts.reduce((cents, amount) => cents + Math.round(Number(amount) * 100), 0)

const digitsOf = (text: string): string => text.replace(/[\s.,']/g, "")

const again = async (make: () => Promise<Receipt>) => {
  const [first, second] = [await make(), await make()]
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
  expect(first.truth).toEqual(second.truth)
}

describe("the receipts of the bench", () => {
  it("are at least 120 per set, and no two share a seed", () => {
    for (const set of Object.values(sets)) expect(set.length).toBeGreaterThanOrEqual(120)
    expect(new Set(seeds).size).toBe(seeds.length)
  })

  it("cover every language, kind and medium in each set", () => {
    for (const set of Object.values(sets)) {
      const plans = set.map(planOf)
      expect(new Set(plans.map(({ language }) => language))).toEqual(new Set(languages))
      expect(new Set(plans.map(({ kind }) => kind))).toEqual(new Set(kinds))
      expect(new Set(plans.map(({ medium }) => medium))).toEqual(new Set(media))
    }
  })

  it("show the facts that they are expected to show", async () => {
    const rates = new Set<number>()
    for (const seed of sampled(sets.evaluation)) {
      const { bytes, circumstances, name, truth } = await readable(seed)
      const text = await Effect.runPromise(pdfText(bytes))
      const whole = text.replace(/\s/g, "")
      expect(digitsOf(text), name).toContain(digitsOf(truth.amount))
      expect(whole, name).toContain(truth.vendor.replace(/\s/g, ""))
      expect(whole, name).toContain(truth.reference.replace(/\s/g, ""))
      expect(truth.expense_date <= circumstances.today, name).toBe(true)
      if (truth.tax_amount !== undefined && truth.tax_rates.length < 2)
        expect(digitsOf(text), name).toContain(digitsOf(truth.tax_amount))
      for (const { tax_amount } of truth.tax_rates) expect(digitsOf(text), name).toContain(digitsOf(tax_amount))
      rates.add(truth.tax_rates.length)
    }
    // A sample may lack a number of rates that few receipts have.
    expect(rates.size).toBeGreaterThanOrEqual(4)
  })

  it("add up to their totals", async () => {
    for (const seed of sampled(sets.evaluation)) {
      const { truth } = await readable(seed)
      if (truth.tax_rates.length === 0) continue
      const tax = total(truth.tax_rates.map((row) => row.tax_amount))
      const net = total(truth.tax_rates.map((row) => row.taxable_amount))
      expect(tax).toBe(total([truth.tax_amount ?? ""]))
      // Tips are untaxed, and cash is rounded by at most two cents.
      expect(net + tax - total([truth.amount])).toBeLessThanOrEqual(2)
    }
  })

  it("have the same bytes in every run", { timeout: 300_000 }, async () => {
    await again(() => receiptFrom(7, "taxi", "photo"))
    await again(() => receiptFrom(8, "invoice", "structured_pdf"))
  })
})
