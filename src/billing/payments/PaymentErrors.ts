import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { Amount } from "../../kernel/Money.ts"

export class AlreadyPaid extends Schema.Error<AlreadyPaid>("AlreadyPaid")(refusal("AlreadyPaid", "already_paid"), {
  httpApiStatus: 422
}) {
  static of() {
    return new AlreadyPaid({ message: "Nothing is left to pay on this invoice." })
  }
}

export class AmountExceedsBalance extends Schema.Error<AmountExceedsBalance>("AmountExceedsBalance")(
  {
    ...refusal("AmountExceedsBalance", "amount_exceeds_balance"),
    details: Schema.Struct({ balance_due: Amount })
  },
  { httpApiStatus: 422 }
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
    details: Schema.Struct({ refundable_amount: Amount })
  },
  { httpApiStatus: 422 }
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
  { httpApiStatus: 422 }
) {
  static refunded() {
    return new PaymentLocked({ message: "A refunded payment cannot be deleted." })
  }
  static reconciled() {
    return new PaymentLocked({ message: "The payment is matched with a bank transaction: unmatch it first." })
  }
}
