import { Schema } from "effect"
import { Day } from "./Calendar.ts"
import { refusal } from "./Refusal.ts"
import { described } from "./Described.ts"

/** The date lies in a period whose books are closed, for example because its VAT return is filed. */
export class BooksLocked extends Schema.Error<BooksLocked>("BooksLocked")(
  {
    ...refusal("BooksLocked", "books_locked"),
    details: described(
      Schema.Struct({ books_locked_until: described(Day, "Last day of the closed period.") }),
      "The last day of the closed period."
    )
  },
  {
    httpApiStatus: 422,
    description: "The date is in a period whose books are closed; use a later date, or change `books_locked_until`."
  }
) {
  static of(books_locked_until: Day) {
    return new BooksLocked({
      message: `The books are locked until ${books_locked_until}: nothing dated until then can be changed.`,
      details: { books_locked_until }
    })
  }
}
