import { Effect, Layer, type Option } from "effect"
import type { Extraction } from "../../../src/expenses/receipts/records/Extraction.ts"
import {
  type ReaderUnavailable,
  type ReaderStopped,
  type ReceiptFile,
  ReceiptReader
} from "../../../src/expenses/receipts/reading/ReceiptReader.ts"

type Answer = Effect.Effect<Extraction, ReaderUnavailable | ReaderStopped>

export const lunch = (changes: Partial<Extraction> = {}): Extraction => ({
  source: "ocr",
  status: "needs_review",
  fields: {
    expense_date: "2026-02-27",
    vendor: "Café Zürich",
    amount: "118.40",
    tax_amount: "20.55",
    currency: "EUR",
    category: "meals",
    reference: "T-0091",
    tax_rates: [{ rate: "21", taxable_amount: "97.85", tax_amount: "20.55" }]
  },
  confidence: { overall: 0.74, expense_date: 0.98, amount: 0.96, tax_amount: 0.74, currency: 0.99, vendor: 0.81 },
  candidates: {
    amount: [
      { value: "118.40", confidence: 0.96 },
      { value: "97.85", confidence: 0.31 }
    ]
  },
  checks: [{ code: "net_plus_tax_equals_total", passed: true }],
  warnings: ["tax_amount below review threshold"],
  error: null,
  ...changes
})

const needsEngine = (_file: ReceiptFile): Effect.Effect<Option.Option<Extraction>> => Effect.succeedNone
const noPicture: Uint8Array | undefined = undefined

/** A reader that returns what a test sets, and records its jobs. */
export const fakeReader = () => {
  const reader = {
    given: new Array<ReceiptFile>(),
    /** The result for files that need no OCR engine; with none, all files need one. */
    text: needsEngine,
    isAvailable: true,
    picture: noPicture,
    readsHeic: true,
    answer: (): Answer => Effect.succeed(lunch()),
    reset: () => {
      reader.given.length = 0
      reader.text = needsEngine
      reader.isAvailable = true
      reader.readsHeic = true
      reader.answer = () => Effect.succeed(lunch())
    }
  }
  const layer = Layer.succeed(
    ReceiptReader,
    ReceiptReader.of({
      readText: (file) => Effect.suspend(() => reader.text(file)),
      read: (file) =>
        Effect.suspend(() => {
          reader.given.push(file)
          return reader.answer()
        }),
      picture: () => Effect.sync(() => reader.picture),
      get readsHeic() {
        return reader.readsHeic
      },
      available: Effect.sync(() => reader.isAvailable)
    })
  )
  return { reader, layer }
}
