import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

/** Each waiting operation keeps its request, and an organization has a bounded number of them. */
export class TooManyOperations extends Schema.Error<TooManyOperations>("TooManyOperations")(
  { ...refusal("TooManyOperations", "too_many_operations"), details: Schema.Struct({ max: Schema.Int }) },
  { httpApiStatus: 422 }
) {
  static of(max: number) {
    return new TooManyOperations({
      message: `The organization already has ${max} operations that have not ended.`,
      details: { max }
    })
  }
}
