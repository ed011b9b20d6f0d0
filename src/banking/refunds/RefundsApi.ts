import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Payment } from "../../billing/payments/Payment.ts"
import { AmountExceedsBalance } from "../../billing/payments/PaymentErrors.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"
import { described } from "../../kernel/Described.ts"
import { data } from "../../kernel/Envelope.ts"
import { BankTransactionId, inText, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { NotFound, refusal } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"

export class RefundMatched extends Schema.Error<RefundMatched>("RefundMatched")(
  {
    ...refusal("RefundMatched", "refund_matched"),
    details: described(
      Schema.Struct({
        bank_transaction_ids: described(Schema.Array(BankTransactionId), "Bank transactions to be unmatched first.")
      }),
      "Records that depend on the refund."
    )
  },
  { httpApiStatus: 422, description: "The refund is matched with a bank transaction, which must be unmatched first." }
) {
  static of(bank_transaction_ids: ReadonlyArray<BankTransactionId>) {
    return new RefundMatched({
      message: `The refund is matched with bank transaction ${bank_transaction_ids.join(" and ")}: unmatch it first.`,
      details: { bank_transaction_ids }
    })
  }
}

export class RefundsApi extends HttpApiGroup.make("refunds")
  .annotateMerge(tag("Refunds", "Refunds that were recorded wrongly; `POST /payments/{id}/refund` records one."))
  .add(
    HttpApiEndpoint.delete("remove", "/:id/refunds/:refund_id", {
      params: { id: inText(PaymentId), refund_id: inText(RefundId) },
      success: data(Payment),
      error: [NotFound, RefundMatched, AmountExceedsBalance, BooksLocked]
    }).annotateMerge(
      operation(
        "Take a refund back",
        "Reverses a refund that was recorded wrongly, and returns its payment: the balance of the invoice decreases " +
          "again, and the payment can be deleted or unmatched. A refund with a bank transaction is refused with 422 " +
          "`refund_matched`: unmatch the transaction first, which also takes back a refund that the match booked. If the " +
          "invoice was paid again since, more than its total would be paid: this is refused with 422 " +
          "`amount_exceeds_balance`, unless the organization allows overpayments.",
        "payment.refund_reversed",
        "invoice.updated",
        "invoice.paid"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/payments") {}
