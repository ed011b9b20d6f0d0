import { Schema } from "effect"

export const Hints = Schema.Struct({
  /** ISO 3166-1 alpha-2 code, which determines the order of dates and the tax rates in use. */
  country: Schema.String,
  currency: Schema.String,
  language: Schema.String,
  /** Today's date in the format YYYY-MM-DD. */
  today: Schema.String,
  /** The organization's own name, city and numbers (tax, registration, phone, bank accounts), which are never the vendor's. */
  own_names: Schema.Array(Schema.String),
  /** The organization's name alone, because a vendor may have the name of the organization's city. */
  own_name: Schema.optionalKey(Schema.String)
})
export type Hints = typeof Hints.Type
