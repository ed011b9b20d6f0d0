import { Context, Data, type Effect, type Option } from "effect"
import type { Extraction } from "../records/Extraction.ts"
import type { PictureJob } from "./ReaderJob.ts"
import type { Hints } from "../extraction/Hints.ts"

export interface ReceiptFile {
  readonly path: string
  readonly media_type: string
  readonly hints: Hints
}

/** True for images. Other files are electronic invoices, or PDF files, which mostly contain their text. */
export const needsEngine = (media_type: string): boolean => media_type.startsWith("image/")

export class ReaderUnavailable extends Data.TaggedError("ReaderUnavailable")<{ readonly reason: string }> {}

/**
 * The process that read the receipt exceeded a limit of time, or the system ended it, also in the second attempt with
 * less effort. On a busy machine or with little memory, this may happen with any receipt, so a later attempt may succeed.
 */
export class ReaderStopped extends Data.TaggedError("ReaderStopped")<{ readonly reason: string }> {}

/** Reads the fields of an expense from a receipt. An unreadable file is a result, too: a failed extraction. */
export class ReceiptReader extends Context.Service<
  ReceiptReader,
  {
    /**
     * Reads a file that needs no OCR engine, without waiting for pictures. None if it needs one, or if it could not be
     * read for another reason: `read` then decides why.
     */
    readonly readText: (receipt: ReceiptFile) => Effect.Effect<Option.Option<Extraction>>
    readonly read: (receipt: ReceiptFile) => Effect.Effect<Extraction, ReaderUnavailable | ReaderStopped>
    /** Draws the first page of a file as WebP, turned as it was for the reading; undefined for a file without pages. */
    readonly picture: (request: PictureJob) => Effect.Effect<Uint8Array | undefined>
    readonly readsHeic: boolean
    /** False while no process with an OCR engine can be started. */
    readonly available: Effect.Effect<boolean>
  }
>()("invoicing/expenses/receipts/reading/ReceiptReader") {}
