import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { Amount } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"

export class AlreadyPaid extends Schema.Error<AlreadyPaid>("AlreadyPaid")(refusal("AlreadyPaid", "already_paid"), {
  httpApiStatus: 422,
  description: "Nothing is left to pay on this invoice."
}) {
  static of() {
    return new AlreadyPaid({ message: "Nothing is left to pay on this invoice." })
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
  refusal("PaymentLocked", "payment_locked"),
  {
    httpApiStatus: 422,
    description:
      "The payment was refunded or matched with a bank transaction; a matched one can be deleted once it is unmatched."
  }
) {
  static refunded() {
    return new PaymentLocked({ message: "A refunded payment cannot be deleted." })
  }
  static reconciled() {
    return new PaymentLocked({ message: "The payment is matched with a bank transaction: unmatch it first." })
  }
}
