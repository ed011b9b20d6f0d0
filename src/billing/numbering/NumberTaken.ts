import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/**
 * A changed number format can produce a number that is already in use; changing the format again resolves the conflict.
 */
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
