import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"
import { described } from "../kernel/Described.ts"

/** The number of unfinished operations of an organization is limited, because each one stores its request. */
export class TooManyOperations extends Schema.Error<TooManyOperations>("TooManyOperations")(
  {
    ...refusal("TooManyOperations", "too_many_operations"),
    details: described(Schema.Struct({ max: described(Schema.Int, "Operations that may run at once.") }), "The limit.")
  },
  {
    httpApiStatus: 422,
    description: "The organization has reached its maximum number of unfinished operations; wait until one ends."
  }
) {
  static of(max: number) {
    return new TooManyOperations({
      message: `The organization already has ${max} operations that have not ended.`,
      details: { max }
    })
  }
}
