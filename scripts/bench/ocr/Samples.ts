import type { Hints } from "../../../src/expenses/receipts/extraction/Hints.ts"
import type { Reading } from "../../../src/platform/ocr/engines/Reading.ts"
import { misread } from "../../../test/expenses/receipts/extraction/random/Misreading.ts"
import { randomReceipt, type Truth } from "../../../test/expenses/receipts/extraction/random/RandomReceipt.ts"
import { hintsOf, textPdf } from "../../../test/expenses/receipts/extraction/Readings.ts"

interface Sample {
  readonly reading: Reading
  readonly hints: Hints
  readonly truth: Truth
}

/** Share of the characters that are misread. With 0 the receipt is a PDF with a text layer. */
const severities = [0, 0.004, 0.012, 0.03]

export const samples = ({ count, from }: { readonly from: number; readonly count: number }): ReadonlyArray<Sample> =>
  Array.from({ length: count }, (_, index) => {
    const seed = from + index
    const receipt = randomReceipt(seed)
    const severity = severities[index % severities.length] ?? 0
    return {
      reading: severity === 0 ? textPdf(receipt.text) : misread(receipt.text, seed, severity),
      hints: hintsOf(receipt.country, receipt.currency),
      truth: receipt.truth
    }
  })
