import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

/** A changed number format can produce a number that is in use; changing the format again resolves this. */
export class NumberTaken extends Schema.Error<NumberTaken>("NumberTaken")(
  {
    ...refusal("NumberTaken", "number_taken"),
    details: described(
      Schema.Struct({ number: described(Schema.String, "The number that is in use.") }),
      "The conflict."
    )
  },
  {
    httpApiStatus: 422,
    description: "The next number is already in use; change the setting `invoice_number_format`."
  }
) {
  static of(number: string) {
    return new NumberTaken({
      message: `The number ${number} is taken: change the setting invoice_number_format.`,
      details: { number }
    })
  }
}
