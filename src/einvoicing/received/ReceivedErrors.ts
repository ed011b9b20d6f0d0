import { Schema } from "effect"
import { ExpenseId } from "../../kernel/Ids.ts"
import { refusal } from "../../kernel/Refusal.ts"
import type { NetworkRefused } from "../providers/Provider.ts"
import { described } from "../../kernel/Described.ts"

/** The document already has another answer, and a network takes only one answer. */
export class AlreadyAnswered extends Schema.Error<AlreadyAnswered>("AlreadyAnswered")(
  {
    ...refusal("AlreadyAnswered", "already_answered"),
    details: described(
      Schema.Struct({ status: described(Schema.String, "Status of the document, `accepted` or `refused`.") }),
      "The answer that was given."
    )
  },
  { httpApiStatus: 422, description: "The document was answered otherwise, and a document is answered once." }
) {
  static of(status: string) {
    return new AlreadyAnswered({ message: `The document is ${status} already.`, details: { status } })
  }
}

/** The network does not take the answer, and would refuse the same answer again. */
export class AnswerRefused extends Schema.Error<AnswerRefused>("AnswerRefused")(
  refusal("AnswerRefused", "answer_refused"),
  { httpApiStatus: 422, description: "The network does not take the answer, and would refuse the same answer again." }
) {
  static of({ message }: NetworkRefused) {
    return new AnswerRefused({ message })
  }
}

/** A document that cannot be read cannot become an expense. */
export class DocumentUnreadable extends Schema.Error<DocumentUnreadable>("DocumentUnreadable")(
  refusal("DocumentUnreadable", "document_unreadable"),
  {
    httpApiStatus: 422,
    description:
      "The document cannot become an expense, because it cannot be read or its amounts are wrong; create the expense by hand."
  }
) {
  static of(problem: string) {
    return new DocumentUnreadable({ message: problem })
  }
}

export class AlreadyExpensed extends Schema.Error<AlreadyExpensed>("AlreadyExpensed")(
  {
    ...refusal("AlreadyExpensed", "already_expensed"),
    details: described(Schema.Struct({ expense_id: ExpenseId }), "The expense.")
  },
  { httpApiStatus: 422, description: "The document became an expense already." }
) {
  static of(expense_id: ExpenseId) {
    return new AlreadyExpensed({ message: `The document is expense ${expense_id}.`, details: { expense_id } })
  }
}
