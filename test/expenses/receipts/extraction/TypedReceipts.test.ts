import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

/**
 * Reads a file with known facts, expected fields and, after a line `---`, the text of a real receipt. `own_name` and
 * `currency` are those of the organization; a receipt in another currency has `currency_read`.
 */
const receiptOf = (file: string) => {
  const [head = "", text = ""] = readFileSync(file, "utf8").split("\n---\n")
  const facts: Record<string, string> = Object.fromEntries(head.split("\n").map((line) => line.split(": ")))
  return { name: basename(file, ".txt"), facts, text }
}

const receipts = globSync(join(import.meta.dirname, "receipts/*.txt"))
  .toSorted()
  .map(receiptOf)

const rowsOf = (text: string) =>
  text.split(", ").map((row) => {
    const [rate, taxable_amount, tax_amount] = row.split(" ")
    return { rate, taxable_amount, tax_amount }
  })

describe("extract", () => {
  it.each(receipts)("reads $name", async ({ facts, text }) => {
    const { country = "", currency = "", currency_read, own_name, source, status, tax_rates, ...fields } = facts
    const hints = hintsOf(country, currency, own_name === undefined ? {} : { own_names: [own_name] })
    const extraction = await extract(source === "text_layer" ? textPdf(text) : photo(text), hints)
    expect(extraction.fields).toMatchObject({
      ...fields,
      currency: currency_read ?? currency,
      ...(tax_rates === undefined ? {} : { tax_rates: rowsOf(tax_rates) })
    })
    expect(extraction.status).not.toBe("failed")
    if (status !== undefined) expect(extraction).toMatchObject({ status })
  })

  it("has receipts to read", () => {
    expect(receipts.length).toBeGreaterThan(20)
  })
})
