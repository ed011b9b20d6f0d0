import { Schema } from "effect"
import { InvoiceLocked, NonChronological } from "../../../billing/invoices/InvoiceErrors.ts"
import { NumberTaken } from "../../../billing/numbering/NumberTaken.ts"
import { AlreadyPaid, AmountExceedsBalance, AmountExceedsRefundable } from "../../../billing/payments/PaymentErrors.ts"
import { CustomerDeleted } from "../../../customers/CustomerErrors.ts"
import { ExpensePaid } from "../../../expenses/ExpenseErrors.ts"
import { CurrencyCode } from "../../../kernel/Currency.ts"
import { PaymentId } from "../../../kernel/Ids.ts"
import { Amount } from "../../../kernel/Money.ts"
import { NotFound, PreconditionFailed, refusal, ValidationFailed } from "../../../kernel/Refusal.ts"
import { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { described } from "../../../kernel/Described.ts"

export class AlreadyMatched extends Schema.Error<AlreadyMatched>("AlreadyMatched")(
  refusal("AlreadyMatched", "already_matched"),
  { httpApiStatus: 422, description: "The bank transaction is already fully matched, perhaps by a concurrent request." }
) {
  static of() {
    return new AlreadyMatched({ message: "The bank transaction is already matched." })
  }
}

export class NotMatched extends Schema.Error<NotMatched>("NotMatched")(refusal("NotMatched", "not_matched"), {
  httpApiStatus: 422,
  description: "The bank transaction is not matched, so there is nothing to undo."
}) {
  static of() {
    return new NotMatched({ message: "The bank transaction is not matched." })
  }
}

/** The remaining matches would not fit the line: their sum must be positive and at most the line's amount. */
export class UnmatchTogether extends Schema.Error<UnmatchTogether>("UnmatchTogether")(
  refusal("UnmatchTogether", "unmatch_together"),
  {
    httpApiStatus: 422,
    description:
      "The other matches of the transaction, of which some are deducted, do not fit it without this one; unmatch all " +
      "of them by leaving out `match_id`."
  }
) {
  static of() {
    return new UnmatchTogether({
      message: "The other matches do not fit the bank transaction without this one: leave out match_id to unmatch all."
    })
  }
}

/**
 * A credit cannot settle a document that debits pay, nor a debit one that credits pay. Such a document can only be
 * deducted from others.
 */
export class DirectionMismatch extends Schema.Error<DirectionMismatch>("DirectionMismatch")(
  refusal("DirectionMismatch", "direction_mismatch"),
  {
    httpApiStatus: 422,
    description:
      "Incoming money cannot settle a document that is paid with outgoing money, and vice versa; choose another document, " +
      "or deduct it in `allocations` from the documents that the transaction settles."
  }
) {
  static of() {
    return new DirectionMismatch({
      message:
        "A credit is matched with an invoice or a negative expense, a debit with an expense, a refund or a credit note, " +
        "and both with a transfer of the opposite sign. In allocations, a document of the other kind is deducted with " +
        "a negative amount."
    })
  }
  static deducted() {
    return new DirectionMismatch({
      message: "The deducted allocations must be less than the others, because the bank transaction settles the rest."
    })
  }
}

export class LineCurrencyMismatch extends Schema.Error<LineCurrencyMismatch>("LineCurrencyMismatch")(
  {
    ...refusal("LineCurrencyMismatch", "currency_mismatch"),
    details: described(
      Schema.Struct({
        transaction: described(CurrencyCode, "Currency of the bank transaction."),
        document: described(CurrencyCode, "Currency of the document.")
      }),
      "The two currencies."
    )
  },
  { httpApiStatus: 422, description: "The bank transaction and the document have different currencies." }
) {
  static of(transaction: CurrencyCode, document: CurrencyCode) {
    return new LineCurrencyMismatch({
      message: `A bank transaction in ${transaction} cannot be matched with a document in ${document}.`,
      details: { transaction, document }
    })
  }
}

/** Several payments that were recorded by hand fit a line, and any of them may be the line's money. */
export class SeveralPayments extends Schema.Error<SeveralPayments>("SeveralPayments")(
  {
    ...refusal("SeveralPayments", "several_payments"),
    details: described(
      Schema.Struct({
        payment_ids: described(Schema.Array(PaymentId), "The payments, one of which `payment_id` must name.")
      }),
      "The payments that fit."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "Several payments of this amount were recorded without a bank transaction. Name one of them in `payment_id`, or " +
      "send `payment_id` null to record a further payment."
  }
) {
  static of(payment_ids: ReadonlyArray<PaymentId>) {
    return new SeveralPayments({
      message:
        `The payments ${payment_ids.join(", ")} were recorded with this amount and without a bank transaction: name one ` +
        "of them in payment_id, or send payment_id null to record a further payment.",
      details: { payment_ids }
    })
  }
}

/** An invoice needs a customer (rules/banking.md, Documents from lines). */
export class CustomerRequired extends Schema.Error<CustomerRequired>("CustomerRequired")(
  refusal("CustomerRequired", "customer_required"),
  {
    httpApiStatus: 422,
    description:
      "An invoice needs a customer, but neither the bank transaction nor the request names one, or several customers " +
      "have the name in the bank transaction or in its rule; name one in the request or in the rule."
  }
) {
  static of() {
    return new CustomerRequired({
      message: "An invoice needs a customer: name one, because the bank transaction does not name any."
    })
  }
  static ofNamesakes() {
    return new CustomerRequired({
      message:
        "An invoice needs a customer, and several customers have the name in the bank transaction or in its rule: " +
        "name one of them in counterparty_id, or a new customer in counterparty_name."
    })
  }
  static ofVendor() {
    return new CustomerRequired({ message: "An invoice needs a customer, but counterparty_id names a vendor." })
  }
}

export class AmountExceedsRemaining extends Schema.Error<AmountExceedsRemaining>("AmountExceedsRemaining")(
  {
    ...refusal("AmountExceedsRemaining", "amount_exceeds_remaining"),
    details: described(
      Schema.Struct({
        remaining_amount: described(Amount, "Amount that can still be matched, in the currency of the transaction.")
      }),
      "What is left."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "The amount is greater than the unmatched amount of the transaction or the open amount of the document."
  }
) {
  static of(remaining_amount: Amount) {
    return new AmountExceedsRemaining({
      message: "The amount is greater than the amount that can still be matched.",
      details: { remaining_amount }
    })
  }
  /** The bank transaction has less money than its documents need; often a fee was deducted before the money arrived. */
  static ofLine(remaining_amount: Amount) {
    return new AmountExceedsRemaining({
      message:
        "The documents are more than the bank transaction has left. State the amount of the document that is paid in " +
        "part; or, if a fee was deducted from the money, name the fee in allocations with a negative amount: " +
        '{"exclude": {"reason": "fee"}, "amount": -30}.',
      details: { remaining_amount }
    })
  }
}

export const matchRefused = [
  NotFound,
  PreconditionFailed,
  ValidationFailed,
  AlreadyMatched,
  DirectionMismatch,
  LineCurrencyMismatch,
  AmountExceedsRemaining,
  AlreadyPaid,
  SeveralPayments,
  AmountExceedsBalance,
  AmountExceedsRefundable,
  ExpensePaid,
  InvoiceLocked,
  NonChronological,
  NumberTaken,
  CustomerDeleted,
  BooksLocked
] as const
export type MatchRefused = InstanceType<(typeof matchRefused)[number]>
