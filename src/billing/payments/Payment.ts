import { BigDecimal, Schema, SchemaGetter, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, InvoiceId, inText, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { Line, Notes, nullable } from "../../kernel/Text.ts"
import { PaymentStatus } from "../invoices/Invoice.ts"

const methods = [
  "bank_transfer",
  "sepa_credit_transfer",
  "direct_debit",
  "card",
  "cash",
  "check",
  "paypal",
  "online",
  "other"
] as const

/** Names of the same means in other systems. */
const aliases: Readonly<Record<string, string>> = {
  credit_card: "card",
  wire: "bank_transfer",
  transfer: "bank_transfer",
  cheque: "check",
  stripe: "online"
}

const PaymentMethod = Schema.Literals(methods)
type PaymentMethod = typeof PaymentMethod.Type

export const PaymentMethodInput = Schema.String.pipe(
  Schema.decodeTo(PaymentMethod.annotate({ message: `must be one of: ${methods.join(", ")}.` }), {
    // Boundary: the literals, which are decoded next, refuse any text that is no method.
    decode: SchemaGetter.transform((text) => (aliases[text] ?? text) as PaymentMethod),
    encode: SchemaGetter.transform((method) => method)
  })
).annotate({ identifier: "PaymentMethodInput" })

/** `pending` and `failed` are reserved for payment providers. */
const PaymentState = Schema.Literals(["pending", "completed", "failed", "partially_refunded", "refunded"])
export type PaymentState = typeof PaymentState.Type

export const Refund = Schema.Struct({
  id: RefundId,
  amount: Amount,
  reason: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "PaymentRefund" })
export type Refund = typeof Refund.Type

export const paymentsSorting = { columns: ["payment_date", "id", "updated_at"], usual: "-payment_date" } as const

/** Query parameters of the list of payments. */
export const paymentsQuery = {
  ...deletableQuery(paymentsSorting),
  ...externalIdFilter,
  invoice_id: Schema.optionalKey(inText(InvoiceId)),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  status: Schema.optionalKey(PaymentState),
  payment_method: Schema.optionalKey(PaymentMethodInput)
}
export type PaymentsQuery = Schema.Struct.Type<typeof paymentsQuery> & CursorRequest

/** A stored payment: the row of `payments` with its refunds. */
export const PaymentFacts = Schema.Struct({
  id: PaymentId,
  invoice_id: InvoiceId,
  amount: Amount,
  currency: CurrencyCode,
  payment_date: Day,
  payment_method: PaymentMethod,
  reference: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  refunded_amount: Amount,
  refunds: Schema.Array(Refund),
  bank_transaction_id: Schema.NullOr(BankTransactionId),
  ...clientData,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type PaymentFacts = typeof PaymentFacts.Type

/** A payment as every endpoint returns it (contract section 8). */
export const Payment = Schema.Struct({ ...PaymentFacts.fields, status: PaymentState }).annotate({
  identifier: "Payment"
})
export type Payment = typeof Payment.Type

export const refundableOf = ({ amount, refunded_amount }: PaymentFacts) => BigDecimal.subtract(amount, refunded_amount)

const stateOf = (payment: PaymentFacts): PaymentState => {
  if (!BigDecimal.isPositive(payment.refunded_amount)) return "completed"
  return BigDecimal.isPositive(refundableOf(payment)) ? "partially_refunded" : "refunded"
}

export const withState = (payment: PaymentFacts): Payment => ({ ...payment, status: stateOf(payment) })

export const PaymentDraft = Schema.Struct({
  invoice_id: InvoiceId,
  amount: PositiveAmount,
  payment_date: Day,
  payment_method: PaymentMethodInput,
  reference: nullable(Line),
  notes: nullable(Notes),
  ...clientDataInput
}).annotate({ identifier: "PaymentDraft" })
export type PaymentDraft = typeof PaymentDraft.Type

/** Fields that a PUT may repeat but not change. */
export const fixed_fields = ["amount", "invoice_id"] as const

/**
 * The amount and the invoice of a payment never change after booking; only the description of the payment may change.
 */
export const PaymentChanges = Schema.Struct({
  payment_date: Schema.optionalKey(Day),
  payment_method: Schema.optionalKey(PaymentMethodInput),
  reference: nullable(Line),
  notes: nullable(Notes),
  ...clientDataInput,
  ...Struct.map(Struct.pick(PaymentFacts.fields, fixed_fields), Schema.optionalKey)
}).annotate({ identifier: "PaymentChanges" })
export type PaymentChanges = typeof PaymentChanges.Type

/** `amount` and `amount_paid` are two names of one field. Without either, the payment settles the balance due. */
export const MarkPaid = Schema.Struct({
  payment_date: nullable(Day),
  amount: nullable(PositiveAmount),
  amount_paid: nullable(PositiveAmount),
  payment_method: nullable(PaymentMethodInput),
  reference: nullable(Line),
  payment_reference: nullable(Line),
  notes: nullable(Notes)
})
  .check(
    Schema.makeFilter(({ amount, amount_paid }) =>
      amount && amount_paid && !BigDecimal.equals(amount, amount_paid)
        ? { path: ["amount_paid"], issue: "must equal amount when both are given." }
        : undefined
    )
  )
  .annotate({ identifier: "MarkInvoicePaid" })
export type MarkPaid = typeof MarkPaid.Type

export const RefundDraft = Schema.Struct({ amount: nullable(PositiveAmount), reason: nullable(Line) }).annotate({
  identifier: "RefundDraft"
})
export type RefundDraft = typeof RefundDraft.Type

export const PaymentsSummary = Schema.Struct({
  invoice_id: InvoiceId,
  currency: CurrencyCode,
  total: Amount,
  /** Amount that was paid before the invoice. It is part of `amount_paid`, but not of `payments`. */
  prepaid_amount: Amount,
  amount_paid: Amount,
  amount_refunded: Amount,
  amount_credited: Amount,
  balance_due: Amount,
  payment_status: PaymentStatus,
  payments_count: Schema.Int,
  last_payment_date: Schema.NullOr(Day),
  payments: Schema.Array(
    Schema.Struct({ ...Struct.pick(Payment.fields, ["id", "amount", "payment_date", "payment_method", "status"]) })
  )
}).annotate({ identifier: "PaymentsSummary" })
export type PaymentsSummary = typeof PaymentsSummary.Type
