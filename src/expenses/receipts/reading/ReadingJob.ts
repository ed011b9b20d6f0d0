import { Schema } from "effect"
import { Hints } from "../extraction/Hints.ts"

/** What a child is asked; less effort is for a second try. */
export const ReadingJob = Schema.Struct({
  path: Schema.String,
  hints: Hints,
  effort: Schema.Literals(["full", "small"])
})
export type ReadingJob = typeof ReadingJob.Type
