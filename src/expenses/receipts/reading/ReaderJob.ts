import { Schema } from "effect"
import { Hints } from "../extraction/Hints.ts"

/** A job for the child process; the second attempt uses less effort. */
export const ReaderJob = Schema.Struct({
  path: Schema.String,
  hints: Hints,
  effort: Schema.Literals(["full", "small"])
})
/** A job that draws the first page as WebP. */
export const PictureJob = Schema.Struct({
  path: Schema.String,
  quarters: Schema.UndefinedOr(Schema.Int)
})
export type PictureJob = typeof PictureJob.Type

export type ReaderJob = typeof ReaderJob.Type
