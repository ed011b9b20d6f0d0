import { Effect, Schema } from "effect"
import { Day } from "../kernel/Calendar.ts"
import { refusal } from "../kernel/Refusal.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"

/** The date of a record lies in a period whose books are closed, for example because its VAT return is filed. */
export class BooksLocked extends Schema.Error<BooksLocked>("BooksLocked")(
  { ...refusal("BooksLocked", "books_locked"), details: Schema.Struct({ books_locked_until: Day }) },
  { httpApiStatus: 422 }
) {
  static of(books_locked_until: Day) {
    return new BooksLocked({
      message: `The books are locked until ${books_locked_until}: nothing dated until then can be changed.`,
      details: { books_locked_until }
    })
  }
}

/**
 * Refuses a write of records that are dated until the organization's lock date. The audit log makes sure, when it records
 * the write, that the lock date has not moved since the request began.
 */
export const requireOpenBooks = Effect.fnUntraced(function* (...days: ReadonlyArray<Day | null>) {
  const { books_locked_until } = (yield* CurrentOrganization).settings
  if (books_locked_until === undefined) return
  if (days.some((day) => day !== null && day <= books_locked_until)) return yield* BooksLocked.of(books_locked_until)
})
