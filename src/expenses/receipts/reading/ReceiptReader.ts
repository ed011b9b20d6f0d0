import { Context, Data, type Effect } from "effect"
import type { Extraction } from "../Extraction.ts"
import type { Hints } from "../extraction/Hints.ts"

export interface ReceiptFile {
  /** Of a local file. */
  readonly path: string
  /** As its content says. */
  readonly media_type: string
  readonly hints: Hints
}

/** Reading cannot be started at the moment, whatever the receipt. */
export class ReaderUnavailable extends Data.TaggedError("ReaderUnavailable")<{ readonly reason: string }> {}

/** The receipt took too long, and too long again with less effort. */
export class ReadingTimedOut extends Data.TaggedError("ReadingTimedOut")<{}> {}

/** Makes the fields of an expense from a receipt. A file that cannot be read is an answer, too: a failed extraction. */
export class ReceiptReader extends Context.Service<
  ReceiptReader,
  {
    readonly read: (receipt: ReceiptFile) => Effect.Effect<Extraction, ReaderUnavailable | ReadingTimedOut>
    /** False where the decoder of HEIC images was left out. */
    readonly readsHeic: boolean
    /** False while reading could not even be started. */
    readonly available: Effect.Effect<boolean>
  }
>()("invoicing/expenses/receipts/reading/ReceiptReader") {}
