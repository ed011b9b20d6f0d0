import { Schema } from "effect"

/** What a child is asked; less effort is for a second try. */
export const ReadingJob = Schema.Struct({
  path: Schema.String,
  hints: Schema.Struct({
    country: Schema.String,
    currency: Schema.String,
    language: Schema.String,
    today: Schema.String,
    own_names: Schema.Array(Schema.String)
  }),
  effort: Schema.Literals(["full", "small"])
})
export type ReadingJob = typeof ReadingJob.Type
