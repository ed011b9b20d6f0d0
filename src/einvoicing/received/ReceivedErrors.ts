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
  { httpApiStatus: 422, description: "The document already has a different answer, and only one answer can be sent." }
) {
  static of(status: string) {
    return new AlreadyAnswered({ message: `The document is already ${status}.`, details: { status } })
  }
}

/** Without this refusal, the supplier could get two different answers, or the same answer twice. */
export class AnswerInProgress extends Schema.Error<AnswerInProgress>("AnswerInProgress")(
  refusal("AnswerInProgress", "answer_in_progress"),
  {
    httpApiStatus: 409,
    description:
      "Another request is answering the document, or has sent the other answer with an unknown outcome: the supplier " +
      "may have that answer. Repeat that request."
  }
) {
  static of() {
    return new AnswerInProgress({
      message:
        "Another request is answering the document, or may have sent the other answer. Repeat the first answer to learn " +
        "its outcome."
    })
  }
}

export class AnswerRefused extends Schema.Error<AnswerRefused>("AnswerRefused")(
  refusal("AnswerRefused", "answer_refused"),
  { httpApiStatus: 422, description: "The network does not accept the answer, and would refuse the same answer again." }
) {
  static of({ message }: NetworkRefused) {
    return new AnswerRefused({ message })
  }
}

export class DocumentUnreadable extends Schema.Error<DocumentUnreadable>("DocumentUnreadable")(
  refusal("DocumentUnreadable", "document_unreadable"),
  {
    httpApiStatus: 422,
    description:
      "The document cannot become an expense, because it cannot be read or its amounts are wrong; create the expense manually."
  }
) {
  static of(problem: string) {
    return new DocumentUnreadable({ message: problem })
  }
}

/** The document is a sale of the organization, so it is neither a purchase nor anything to accept or refuse as a buyer. */
export class DocumentSelfBilled extends Schema.Error<DocumentSelfBilled>("DocumentSelfBilled")(
  refusal("DocumentSelfBilled", "document_self_billed"),
  {
    httpApiStatus: 422,
    description:
      "The buyer issued the document in the name of the seller, so it becomes no expense, and the networks have no answer " +
      "to it. If you are the seller, book it among your sales; if you disagree with it, tell your customer directly."
  }
) {
  static of() {
    const message =
      "The buyer issued the document in the name of the seller (self-billing), so it becomes no expense and takes no answer."
    return new DocumentSelfBilled({ message })
  }
}

export class DocumentRefused extends Schema.Error<DocumentRefused>("DocumentRefused")(
  refusal("DocumentRefused", "document_refused"),
  { httpApiStatus: 422, description: "The document was refused, so it cannot become an expense." }
) {
  static of() {
    return new DocumentRefused({ message: "You refused the document, so it cannot become an expense." })
  }
}

export class AlreadyExpensed extends Schema.Error<AlreadyExpensed>("AlreadyExpensed")(
  {
    ...refusal("AlreadyExpensed", "already_expensed"),
    details: described(Schema.Struct({ expense_id: ExpenseId }), "The expense.")
  },
  { httpApiStatus: 422, description: "An expense was already created from the document." }
) {
  static of(expense_id: ExpenseId) {
    return new AlreadyExpensed({ message: `The document is expense ${expense_id}.`, details: { expense_id } })
  }
}
