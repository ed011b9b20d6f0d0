import { assert, describe, it } from "vitest"
import { receiptLanguages } from "../../../../src/expenses/receipts/reading/ReceiptLanguages.ts"

describe("receiptLanguages", () => {
  it("lists the organization's language before its country's other languages, and English last", () => {
    const cases = [
      ["DE", "de", ["de", "en"]],
      ["DE", "en", ["de", "en"]],
      ["BE", "fr", ["fr", "nl", "en"]],
      ["BE", "nl-BE", ["nl", "fr", "en"]],
      ["BE", "en", ["nl", "fr", "en"]],
      ["CH", "it", ["it", "de", "en"]],
      ["NL", "de", ["nl", "de", "en"]],
      ["US", "es", ["es", "en"]],
      ["GB", "en", ["en"]],
      ["PL", "pl", ["en"]],
      ["ZZ", "constructor", ["en"]]
    ] as const
    for (const [country, language, expected] of cases) {
      assert.deepStrictEqual(receiptLanguages(country, language), expected, `${country} ${language}`)
    }
  })
})
