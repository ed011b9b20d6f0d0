import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"
import { items_max, type Outcome, outcomeOf } from "./Batch.ts"
import { described } from "../kernel/Described.ts"

export class BatchTooLarge extends Schema.Error<BatchTooLarge>("BatchTooLarge")(
  {
    ...refusal("BatchTooLarge", "batch_too_large"),
    details: described(
      Schema.Struct({
        max: described(Schema.Int, "Maximum number of items."),
        given: described(Schema.Int, "Number of items in the request.")
      }),
      "The limit and the number of items in the request."
    )
  },
  { httpApiStatus: 422, description: "The batch has too many items; split it." }
) {
  static of(given: number) {
    return new BatchTooLarge({
      message: `A batch may not have more than ${items_max} items.`,
      details: { max: items_max, given }
    })
  }
}

export class BatchFailed extends Schema.Error<BatchFailed>("BatchFailed")(
  { ...refusal("BatchFailed", "batch_failed"), data: described(outcomeOf(Schema.Null), "The result of each item.") },
  {
    httpApiStatus: 422,
    description:
      "Nothing was done: every item failed, or one item of an atomic batch. `data.results` explains each item."
  }
) {
  static of({ results, summary }: Outcome<unknown>) {
    const data = { summary, results: results.map((result) => ({ ...result, data: null })) }
    return new BatchFailed({ message: "No item of the batch succeeded.", data })
  }
}

/** Length of all texts in the results of a batch, after which no further item is attempted. */
export const text_characters_max = 8_000_000

export class BatchTextTooLong extends Schema.Error<BatchTextTooLong>("BatchTextTooLong")(
  refusal("BatchTextTooLong", "batch_too_large"),
  { httpApiStatus: 422 }
) {
  static of() {
    return new BatchTextTooLong({
      message:
        `The records of the items before this one have more than ${text_characters_max / 1_000_000} million characters of text. ` +
        "This item was not attempted; put it into another batch."
    })
  }
}

export class NotAttempted extends Schema.Error<NotAttempted>("NotAttempted")(refusal("NotAttempted", "not_attempted"), {
  httpApiStatus: 503
}) {
  static of() {
    return new NotAttempted({ message: "The batch ran out of time before this item, which was not attempted." })
  }
}
