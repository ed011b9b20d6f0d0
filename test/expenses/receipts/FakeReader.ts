import { Effect, Layer, Struct } from "effect"
import type { Extraction } from "../../../src/expenses/receipts/Extraction.ts"
import {
  type ReaderUnavailable,
  type ReadingTimedOut,
  type ReceiptFile,
  ReceiptReader
} from "../../../src/expenses/receipts/reading/ReceiptReader.ts"
import { receipt } from "../../../src/webhooks/events/ExpenseExamples.ts"

type Answer = Effect.Effect<Extraction, ReaderUnavailable | ReadingTimedOut>

/** What a reader says about the receipt that the catalog of events shows, which has no description of its own. */
export const lunch = (changes: Partial<Extraction> = {}): Extraction => ({
  source: "ocr",
  status: "needs_review",
  ...Struct.pick(receipt, ["confidence", "candidates", "checks", "warnings", "error"]),
  fields: { ...receipt.fields, reference: "T-0091" },
  ...changes
})

/** A reader that says what a test wants it to say, and remembers what it was given. */
export const fakeReader = () => {
  const reader = {
    given: new Array<ReceiptFile>(),
    isAvailable: true,
    readsHeic: true,
    answer: (): Answer => Effect.succeed(lunch()),
    reset: () => {
      reader.given.length = 0
      reader.isAvailable = true
      reader.readsHeic = true
      reader.answer = () => Effect.succeed(lunch())
    }
  }
  const layer = Layer.succeed(
    ReceiptReader,
    ReceiptReader.of({
      read: (file) =>
        Effect.suspend(() => {
          reader.given.push(file)
          return reader.answer()
        }),
      get readsHeic() {
        return reader.readsHeic
      },
      available: Effect.sync(() => reader.isAvailable)
    })
  )
  return { reader, layer }
}
