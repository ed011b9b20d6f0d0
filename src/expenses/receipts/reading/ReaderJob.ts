import { Schema } from "effect"
import { Hints } from "../extraction/Hints.ts"

/** A job for the child process; the second attempt uses less effort. */
export const ReaderJob = Schema.Struct({
  path: Schema.String,
  hints: Hints,
  effort: Schema.Literals(["full", "small"])
})
export type ReaderJob = typeof ReaderJob.Type
