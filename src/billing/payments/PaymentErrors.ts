import { Schema } from "effect"
import { BankTransactionId, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { refusal } from "../../kernel/Refusal.ts"
import { Amount } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"
import type { PaymentFacts } from "./Payment.ts"

export class AlreadyPaid extends Schema.Error<AlreadyPaid>("AlreadyPaid")(refusal("AlreadyPaid", "already_paid"), {
  httpApiStatus: 422,
  description: "Nothing is left to pay on this invoice."
}) {
  static of() {
    return new AlreadyPaid({ message: "Nothing is left to pay on this invoice." })
  }
  /** Names the other ways to use what a bank transaction has left. */
  static ofLine() {
    return new AlreadyPaid({
      message:
        "Nothing is left to pay on this invoice. What is left of the bank transaction can pay another document, become " +
        "a document of its own (create-document), or be excluded with a reason: " +
        '{"exclude": {"reason": "other"}}. If the setting allow_overpayment is true, a request that states the amount ' +
        "books it on this invoice, from which it can be refunded."
    })
  }
}

export class AmountExceedsBalance extends Schema.Error<AmountExceedsBalance>("AmountExceedsBalance")(
  {
    ...refusal("AmountExceedsBalance", "amount_exceeds_balance"),
    details: described(
      Schema.Struct({ balance_due: described(Amount, "Amount that is left to pay, in the currency of the invoice.") }),
      "What may be paid."
    )
  },
  {
    httpApiStatus: 422,
    description: "The amount is greater than the balance due, and the organization does not allow overpayments."
  }
) {
  static of(balance_due: Amount) {
    return new AmountExceedsBalance({
      message: "The amount is greater than the balance due.",
      details: { balance_due }
    })
  }
  /** Refuses to take a refund back, because the refunded money was paid again since. */
  static withoutRefund(balance_due: Amount) {
    return new AmountExceedsBalance({
      message:
        "Without this refund, the payments would exceed the total of the invoice: delete or refund another payment " +
        "first, or set allow_overpayment to true.",
      details: { balance_due }
    })
  }
}

export class AmountExceedsRefundable extends Schema.Error<AmountExceedsRefundable>("AmountExceedsRefundable")(
  {
    ...refusal("AmountExceedsRefundable", "amount_exceeds_refundable"),
    details: described(
      Schema.Struct({
        refundable_amount: described(Amount, "Amount that is left to refund, in the currency of the payment.")
      }),
      "What may be refunded."
    )
  },
  { httpApiStatus: 422, description: "The amount is greater than what is left to refund." }
) {
  static of(refundable_amount: Amount) {
    return new AmountExceedsRefundable({
      message: "The amount is greater than what is left to refund.",
      details: { refundable_amount }
    })
  }
}

/** A refunded or reconciled payment cannot be deleted, because other records depend on it. */
export class PaymentLocked extends Schema.Error<PaymentLocked>("PaymentLocked")(
  {
    ...refusal("PaymentLocked", "payment_locked"),
    details: described(
      Schema.Struct({
        payment_id: described(PaymentId, "The payment."),
        refund_ids: described(Schema.Array(RefundId), "Refunds of the payment that must be reversed first."),
        bank_transaction_id: described(
          Schema.NullOr(BankTransactionId),
          "Bank transaction that must be unmatched first; null if none."
        )
      }),
      "Records that depend on the payment."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "The payment was refunded or matched with a bank transaction; it can be deleted once its refunds are reversed " +
      "with `DELETE /payments/{id}/refunds/{refund_id}` and its bank transaction is unmatched. A payment that is the " +
      "prepaid amount of its invoice (`is_prepayment`) is never deleted."
  }
) {
  static refunded({ id, refunds }: Pick<PaymentFacts, "id" | "refunds">) {
    const refund_ids = refunds.map((refund) => refund.id)
    return new PaymentLocked({
      message:
        `Payment ${id} was refunded: reverse its refunds first, with DELETE ` +
        `${refund_ids.map((refund_id) => `/api/v1/payments/${id}/refunds/${refund_id}`).join(" and DELETE ")}.`,
      details: { payment_id: id, refund_ids, bank_transaction_id: null }
    })
  }
  static prepaid(payment_id: PaymentId) {
    return new PaymentLocked({
      message: "The payment is the amount that was paid before the invoice, which an issued invoice keeps.",
      details: { payment_id, refund_ids: [], bank_transaction_id: null }
    })
  }
  static reconciled(payment_id: PaymentId, bank_transaction_id: BankTransactionId) {
    return new PaymentLocked({
      message: `The payment is matched with bank transaction ${bank_transaction_id}: unmatch it first.`,
      details: { payment_id, refund_ids: [], bank_transaction_id }
    })
  }
}
