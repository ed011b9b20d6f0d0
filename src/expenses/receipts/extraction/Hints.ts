import { Schema } from "effect"

/** What is known of the organization that the receipt was handed in to. */
export const Hints = Schema.Struct({
  /** ISO 3166-1 alpha-2; says in what order a date is written and which tax rates there are. */
  country: Schema.String,
  currency: Schema.String,
  language: Schema.String,
  /** Y-m-d. */
  today: Schema.String,
  /** Its names, tax number and the like: never the vendor. */
  own_names: Schema.Array(Schema.String)
})
export type Hints = typeof Hints.Type
