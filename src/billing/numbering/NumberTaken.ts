import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** A number format that was changed may lead to numbers that are given already; the next format change mends it. */
export class NumberTaken extends Schema.Error<NumberTaken>("NumberTaken")(
  { ...refusal("NumberTaken", "number_taken"), details: Schema.Struct({ number: Schema.String }) },
  { httpApiStatus: 422 }
) {
  static of(number: string) {
    return new NumberTaken({
      message: `The number ${number} is taken: change the setting invoice_number_format.`,
      details: { number }
    })
  }
}
