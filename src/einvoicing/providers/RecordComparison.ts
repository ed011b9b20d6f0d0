import { Schema } from "effect"

const Numbers = Schema.Array(Schema.String)

/** The difference between the records of documents that are stored here and those that an authority has. */
export const RecordComparison = Schema.Struct({
  /** The number of accepted records that are stored here. */
  recorded: Schema.Int,
  /** The number of records that the authority has. */
  held: Schema.Int,
  /** Documents whose record the authority does not have. */
  missing: Numbers,
  /** Documents whose record has another hash at the authority, or is cancelled only here or only at the authority. */
  different: Numbers,
  /** Documents of which only the authority has a record, such as those of another system. */
  unknown: Numbers
})
export type RecordComparison = typeof RecordComparison.Type
