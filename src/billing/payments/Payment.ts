import { BigDecimal, Schema, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, CustomerId, InvoiceId, inText, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { Line, Notes, nullable, nullableCode, unlessNull } from "../../kernel/Text.ts"
import { PaymentStatus } from "../invoices/Invoice.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"
import { searchFilter } from "../search/SearchFilter.ts"
import { PaymentMethod, PaymentMethodInput } from "./PaymentMethod.ts"

/** No payment has the state `pending` or `failed` yet; they are reserved for payment providers. */
const PaymentState = Schema.Literals(["pending", "completed", "failed", "partially_refunded", "refunded"])
type PaymentState = typeof PaymentState.Type

export const Refund = Schema.Struct({
  id: RefundId,
  amount: described(Amount, "Amount that was refunded, in the currency of the payment."),
  reason: described(Schema.NullOr(Schema.String), "Reason for the refund; null if none was given."),
  refund_date: described(
    Schema.NullOr(Day),
    "Day on which the money was returned; null for an older refund, which counts on the day of `created_at`.",
    "2026-03-20"
  ),
  created_at: described(Timestamp, "Time of booking.")
}).annotate({ identifier: "PaymentRefund", description: "A refund of a payment." })
export type Refund = typeof Refund.Type

export const paymentsSorting = { columns: ["payment_date", "id", "updated_at"], usual: "-payment_date" } as const

export const paymentsQuery = {
  ...deletableQuery(paymentsSorting),
  ...externalIdFilter,
  invoice_id: described(Schema.optionalKey(inText(InvoiceId)), "Only records of this invoice."),
  customer_id: described(Schema.optionalKey(inText(CustomerId)), "Only records of this customer."),
  date_from: described(Schema.optionalKey(Day), "Only records dated on this day or later."),
  date_to: described(Schema.optionalKey(Day), "Only records dated on this day or earlier."),
  status: described(Schema.optionalKey(PaymentState), "Only payments in this status."),
  payment_method: described(Schema.optionalKey(PaymentMethodInput), "Only payments of this method."),
  ...searchFilter("a `reference` or the number of the invoice")
}
export type PaymentsQuery = Schema.Struct.Type<typeof paymentsQuery> & CursorRequest

export const PaymentFacts = Schema.Struct({
  id: PaymentId,
  invoice_id: InvoiceId,
  amount: described(Amount, "Amount that was paid, before refunds."),
  currency: described(CurrencyCode, "Currency of the payment, which is that of the invoice (ISO 4217).", "EUR"),
  payment_date: described(Day, "Day on which the money was received.", "2026-03-15"),
  payment_method: described(PaymentMethod, "How the customer paid."),
  reference: described(
    Schema.NullOr(Schema.String),
    "Reference of the payment, such as that of the bank; null if there is none."
  ),
  notes: described(Schema.NullOr(Schema.String), "Free text for your own use; null if there is none."),
  refunded_amount: described(Amount, "Amount that was refunded of the payment."),
  refunds: described(Schema.Array(Refund), "Refunds of the payment."),
  bank_transaction_id: described(
    Schema.NullOr(BankTransactionId),
    "Bank transaction that the payment was booked from; null if none."
  ),
  is_prepayment: described(
    Schema.Boolean,
    "True if the payment is the `prepaid_amount` of the invoice, which becomes a payment when money of it is refunded."
  ),
  ...clientData,
  ...recordFields,
  created_at: described(Timestamp, "Time of booking.")
})
export type PaymentFacts = typeof PaymentFacts.Type

export const Payment = Schema.Struct({
  ...PaymentFacts.fields,
  status: described(
    PaymentState,
    "`completed`, `partially_refunded` or `refunded`; `pending` and `failed` are not used yet."
  )
}).annotate({
  identifier: "Payment",
  description: "A payment of an invoice."
})
export type Payment = typeof Payment.Type

export const refundableOf = ({ amount, refunded_amount }: PaymentFacts) => BigDecimal.subtract(amount, refunded_amount)

/** Leaves out the payment that is the prepaid amount of its invoice, where the prepaid amount is shown or counted itself. */
export const withoutPrepayment = (payments: ReadonlyArray<PaymentFacts>) =>
  payments.filter(({ is_prepayment }) => !is_prepayment)

const stateOf = (payment: PaymentFacts): PaymentState => {
  if (!BigDecimal.isPositive(payment.refunded_amount)) return "completed"
  return BigDecimal.isPositive(refundableOf(payment)) ? "partially_refunded" : "refunded"
}

export const withState = (payment: PaymentFacts): Payment => ({ ...payment, status: stateOf(payment) })

/** The amount is in the currency of the invoice; naming another currency is refused as a mistake. */
const askedCurrency = {
  currency: described(
    nullableCode(CurrencyCode),
    "Currency of `amount`, which must be that of the invoice (ISO 4217). Default: that of the invoice.",
    "EUR"
  )
}

export const PaymentDraft = Schema.Struct({
  invoice_id: described(InvoiceId, "Invoice that was paid."),
  amount: described(PositiveAmount, "Amount that was paid, in the currency of the invoice, more than 0."),
  ...askedCurrency,
  payment_date: described(Day, "Day on which the money was received.", "2026-03-15"),
  payment_method: PaymentMethodInput,
  reference: described(nullable(Line), "Reference of the payment, such as that of the bank; null for none."),
  notes: described(nullable(Notes), "Free text for your own use; null for none."),
  ...clientDataInput
}).annotate({ identifier: "PaymentDraft", description: "A payment to be booked." })
export type PaymentDraft = typeof PaymentDraft.Type

/** Fields that a PUT may repeat but not change. */
export const fixed_fields = ["amount", "currency", "invoice_id", "status"] as const

export const PaymentChanges = Schema.Struct({
  payment_date: described(Schema.optionalKey(Day), "Day on which the money was received.", "2026-03-15"),
  payment_method: Schema.optionalKey(PaymentMethodInput),
  reference: described(nullable(Line), "Reference of the payment, such as that of the bank; null for none."),
  notes: described(nullable(Notes), "Free text for your own use; null for none."),
  ...clientDataInput,
  ...Struct.map(Struct.pick(Payment.fields, fixed_fields), Schema.optionalKey),
  currency: described(unlessNull(CurrencyCode), "Currency of `amount`, which cannot be changed.")
}).annotate({
  identifier: "PaymentChanges",
  description: "The fields of a payment that change; amount, currency, invoice and status never do."
})
export type PaymentChanges = typeof PaymentChanges.Type

export const MarkPaid = Schema.Struct({
  payment_date: described(nullable(Day), "Day on which the money was received. Default: today."),
  amount: described(
    nullable(PositiveAmount),
    "Amount that was paid, in the currency of the invoice. Default: the balance due."
  ),
  amount_paid: described(nullable(PositiveAmount), "The same as `amount`."),
  ...askedCurrency,
  payment_method: described(nullable(PaymentMethodInput), "How the customer paid. Default: `bank_transfer`."),
  reference: described(nullable(Line), "Reference of the payment, such as that of the bank; null for none."),
  payment_reference: described(nullable(Line), "The same as `reference`."),
  notes: described(nullable(Notes), "Free text for your own use; null for none.")
})
  .annotate({ description: "The payment that settles an invoice." })
  .check(
    Schema.makeFilter(({ amount, amount_paid, payment_reference, reference }) => [
      ...(amount && amount_paid && !BigDecimal.equals(amount, amount_paid)
        ? [{ path: ["amount_paid"], issue: "must equal amount if both are given." }]
        : []),
      ...(reference && payment_reference && reference !== payment_reference
        ? [{ path: ["payment_reference"], issue: "must equal reference if both are given." }]
        : [])
    ])
  )
  .annotate({ identifier: "MarkInvoicePaid" })
export type MarkPaid = typeof MarkPaid.Type

export const RefundDraft = Schema.Struct({
  amount: described(
    nullable(PositiveAmount),
    "Amount to refund, in the currency of the invoice. Default: everything that can be refunded."
  ),
  ...askedCurrency,
  refund_date: described(
    nullable(Day),
    "Day on which the money was returned, not before the payment. Default: today, or the day of a later payment.",
    "2026-03-20"
  ),
  reason: described(nullable(Line), "Why it is refunded; null for none.")
}).annotate({
  identifier: "RefundDraft",
  description: "A refund to be booked."
})
export type RefundDraft = typeof RefundDraft.Type

export const PaymentsSummary = Schema.Struct({
  invoice_id: InvoiceId,
  currency: described(CurrencyCode, "Currency of all amounts, which is that of the invoice (ISO 4217).", "EUR"),
  total: described(Amount, "Total of the invoice with taxes."),
  prepaid_amount: described(
    Amount,
    "Amount that was paid before the invoice; part of `amount_paid`, but not of `payments`."
  ),
  amount_paid: described(Amount, "Amount that was paid so far, before refunds."),
  amount_refunded: described(Amount, "Amount that was refunded of the payments."),
  amount_credited: described(Amount, "Amount with taxes of the credit notes that were sent."),
  balance_due: described(Amount, "Amount that is left to pay."),
  payment_status: PaymentStatus,
  payments_count: described(Schema.Int, "Number of payments."),
  last_payment_date: described(Schema.NullOr(Day), "Day of the last payment; null if there is none."),
  payments: described(
    Schema.Array(
      Schema.Struct({ ...Struct.pick(Payment.fields, ["id", "amount", "payment_date", "payment_method", "status"]) })
    ),
    "Payments of the invoice."
  )
}).annotate({ identifier: "PaymentsSummary", description: "The paid amounts of an invoice." })
export type PaymentsSummary = typeof PaymentsSummary.Type

/** Fields of the invoice that the summary of its payments repeats. */
export const summed = [
  "currency",
  "total",
  "prepaid_amount",
  "amount_paid",
  "amount_refunded",
  "amount_credited",
  "balance_due",
  "payment_status"
] as const
