import { Schema } from "effect"
import { Hints } from "../extraction/Hints.ts"

/**
 * A job for the child process. The effort `text` reads only a document that needs no OCR engine, `full` reads any
 * document, and `small` is the second attempt.
 */
export const ReaderJob = Schema.Struct({
  path: Schema.String,
  hints: Hints,
  effort: Schema.Literals(["text", "full", "small"])
})
/** A job that draws the first page as WebP. */
export const PictureJob = Schema.Struct({
  path: Schema.String,
  quarters: Schema.UndefinedOr(Schema.Int)
})
export type PictureJob = typeof PictureJob.Type

export type ReaderJob = typeof ReaderJob.Type
