import { Schema } from "effect"

const Place = Schema.Struct({
  field: Schema.Literals(["amount", "expense_date", "vendor"]),
  /** Number of the page, counted from 0. */
  page: Schema.Int,
  x0: Schema.Finite,
  y0: Schema.Finite,
  x1: Schema.Finite,
  y1: Schema.Finite
})

/**
 * The trace keeps what was found on a receipt besides the fields of its expense. It helps to read later receipts of the
 * vendor, and the admin panel marks its places on the image.
 */
export const ReadingTrace = Schema.Struct({
  /** Numbers and names that identify the vendor, such as "tax:123456789" and "name:cafezurich". */
  vendor_keys: Schema.Array(Schema.String),
  /** Printed amounts, each with the words before it in its row. */
  figures: Schema.Array(Schema.Struct({ label: Schema.String, amount: Schema.String })),
  /** Sizes in the units of `places`; `quarters` is the number of clockwise quarter turns before the reading. */
  pages: Schema.Array(Schema.Struct({ width: Schema.Finite, height: Schema.Finite, quarters: Schema.Int })),
  places: Schema.Array(Place)
})
export type ReadingTrace = typeof ReadingTrace.Type
