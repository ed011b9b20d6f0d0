import { BigDecimal, Effect, Schema, Struct } from "effect"
import { Day, now } from "../../../kernel/Calendar.ts"
import { clientDataInput, clientDataOf, isClientDataOnly } from "../../../kernel/ClientData.ts"
import { compiled } from "../../../kernel/Compiled.ts"
import { CurrencyCode } from "../../../kernel/Currency.ts"
import { CustomerId, InvoiceId } from "../../../kernel/Ids.ts"
import { changedRate, ExchangeRate } from "../../../kernel/ExchangeRate.ts"
import { NonNegativeAmount, zero } from "../../../kernel/Money.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { Notes, nullable } from "../../../kernel/Text.ts"
import { invoiceDetails, requireOneDelivery, withoutDelivery } from "../../details/Details.ts"
import { AdjustmentInputs, unchangedAdjustment } from "../../lines/Adjustment.ts"
import type { Begun } from "../../lines/DocumentLines.ts"
import { LineItemInputs, unchangedLine } from "../../lines/LineItem.ts"
import { requirePrepaid } from "../../lines/Pricing.ts"
import { requireYearOfNumber } from "../../numbering/NumberYear.ts"
import { Invoice, type InvoiceFacts, isOpen } from "../Invoice.ts"
import { requireEmbeddable } from "./Embedding.ts"
import { described } from "../../../kernel/Described.ts"

const fields = {
  customer_id: described(CustomerId, "Customer that the invoice is for."),
  issue_date: described(Day, "Day on which the invoice is issued.", "2026-03-01"),
  due_date: described(Day, "Last day to pay; not before the date of issue.", "2026-03-31"),
  currency: described(CurrencyCode, "Currency of all amounts of the invoice (ISO 4217).", "EUR"),
  exchange_rate: described(
    nullable(ExchangeRate),
    "Units of the organization's currency for one unit of the invoice's, more than 0, with at most 12 decimals; null if unknown."
  ),
  notes: described(nullable(Notes), "Text for the customer, printed on the invoice; null for none."),
  terms: described(nullable(Notes), "Terms of payment or sale, printed on the invoice; null for none."),
  ...invoiceDetails.input,
  discounts: described(
    nullable(AdjustmentInputs),
    "Discounts on the whole invoice (BG-20), at most 20, in place of all stored ones; null for none."
  ),
  charges: described(
    nullable(AdjustmentInputs),
    "Charges on the whole invoice (BG-21), at most 20, in place of all stored ones; null for none."
  ),
  prepaid_amount: described(
    nullable(NonNegativeAmount),
    "Amount that was paid before the invoice, at most its total (part of BT-113). It lowers `balance_due` and changes no tax. " +
      "Null means 0."
  ),
  ...clientDataInput,
  items: described(LineItemInputs, "Lines of the invoice, 1 to 500; in a change they replace all lines.")
}

const dueAfterIssue = Schema.makeFilter<{ readonly issue_date?: Day; readonly due_date?: Day }>((dates) =>
  dates.due_date !== undefined && dates.issue_date !== undefined && dates.due_date < dates.issue_date
    ? { path: ["due_date"], issue: "must not be before the issue date." }
    : undefined
)

export const InvoiceDraft = compiled(
  Schema.Struct(fields)
    .annotate({ description: "An invoice to be created as a draft." })
    .check(dueAfterIssue)
    .annotate({ identifier: "InvoiceDraft" })
)
export type InvoiceDraft = typeof InvoiceDraft.Type

type Outset = Omit<InvoiceDraft, keyof typeof invoiceDetails.input | "items" | "discounts" | "charges"> &
  Pick<InvoiceFacts, "details">

/** The content that a new draft copies from another document. */
export type Copied = Required<Omit<Outset, "exchange_rate">> &
  Pick<InvoiceFacts, "external_id" | "metadata" | "items" | "discounts" | "charges"> &
  Partial<Pick<InvoiceFacts, "exchange_rate" | "quote_id">>

/** The details of a new invoice. A new invoice has no attachments yet, so it cannot embed any. */
export const newDetails = Effect.fnUntraced(function* (draft: InvoiceDraft) {
  const details = yield* requireOneDelivery(invoiceDetails.change({}, draft))
  yield* requireEmbeddable(details, [])
  return details
})

/**
 * A duplicate does not copy the embedded attachments, the time of the delivery and the prepaid amount, which belong to
 * the original, nor the exchange rate, which is that of another day.
 */
export const duplicated = ({ details }: Pick<InvoiceFacts, "details">) => ({
  details: withoutDelivery(Struct.omit(details, ["embedded_attachment_ids"])),
  exchange_rate: null,
  prepaid_amount: zero
})

/** The new draft has no number and no payments except the prepaid amount. */
export const blank = Effect.fnUntraced(function* (draft: Outset, { customer, id, totals }: Begun) {
  const created_at = yield* now
  const prepaid_amount = draft.prepaid_amount ?? zero
  yield* requirePrepaid(prepaid_amount, totals.total, draft.currency)
  const facts: InvoiceFacts = {
    id: InvoiceId.make(id),
    number: null,
    customer_id: draft.customer_id,
    customer,
    issue_date: draft.issue_date,
    due_date: draft.due_date,
    currency: draft.currency,
    exchange_rate: draft.exchange_rate ?? null,
    ...totals,
    prepaid_amount,
    amount_paid: prepaid_amount,
    amount_credited: zero,
    amount_refunded: zero,
    payment_reference: null,
    notes: draft.notes ?? null,
    terms: draft.terms ?? null,
    details: draft.details,
    ...clientDataOf(draft),
    issued_at: null,
    sent_at: null,
    sent_method: null,
    paid_at: null,
    voided_at: null,
    quote_id: null,
    created_at,
    updated_at: created_at,
    version: 1
  }
  return facts
})

const required = ["customer_id", "issue_date", "due_date", "currency", "items"] as const

/** Fields that a PUT may send back unchanged but not change. */
export const fixed_fields = ["number", "invoice_number", "status"] as const

/** `items` replaces the whole list. The number and the status are never set by a client. */
export const InvoiceChanges = Schema.Struct({
  ...Struct.map(Struct.pick(fields, required), Schema.optionalKey),
  ...Struct.omit(fields, required),
  ...Struct.map(Struct.pick(Invoice.fields, fixed_fields), Schema.optionalKey)
})
  .annotate({
    description:
      "The fields of an invoice to change; others are kept. Of an issued invoice, only the due date, `external_id` and `metadata` can change."
  })
  .check(dueAfterIssue)
  .annotate({ identifier: "InvoiceChanges" })
export type InvoiceChanges = typeof InvoiceChanges.Type

/**
 * True if the invoice accepts the change. A draft accepts every change, and a void invoice none. An issued invoice
 * accepts another `external_id`, other `metadata` and, while it is open, another due date.
 */
export const mayChange = (invoice: Invoice, { due_date, ...others }: InvoiceChanges): boolean => {
  if (invoice.status === "draft") return true
  const isOnlyDueDate = Object.keys(others).length === 0
  const isDueDateAllowed = due_date === undefined || isOpen(invoice)
  return invoice.status !== "void" && isDueDateAllowed && (isOnlyDueDate || isClientDataOnly(others))
}

/** Returns the request body that leaves an invoice unchanged. */
export const sentBack = (invoice: Invoice) => ({
  ...invoice,
  items: invoice.items.map(unchangedLine),
  discounts: invoice.discounts.map(unchangedAdjustment),
  charges: invoice.charges.map(unchangedAdjustment)
})

export type Changes = Partial<Omit<InvoiceChanges, (typeof fixed_fields)[number]>>

/** Applies a change to all fields except lines, discounts and charges, which the caller reprices. */
export const changedFacts = Effect.fnUntraced(function* (stored: InvoiceFacts, changes: Changes) {
  const rest = Struct.omit(changes, ["charges", "discounts", "items", "prepaid_amount"])
  const details = yield* requireOneDelivery(invoiceDetails.change(stored.details, changes))
  const prepaid_amount = changes.prepaid_amount === undefined ? stored.prepaid_amount : (changes.prepaid_amount ?? zero)
  const paid_since = BigDecimal.subtract(stored.amount_paid, stored.prepaid_amount)
  const amount_paid = BigDecimal.sum(paid_since, prepaid_amount)
  const exchange_rate = changedRate(stored, changes)
  const own = { details, exchange_rate, prepaid_amount, amount_paid }
  const facts = { ...stored, ...rest, ...clientDataOf(changes, stored), ...own }
  if (facts.due_date < facts.issue_date) {
    return yield* ValidationFailed.field("due_date", "must not be before the issue date.")
  }
  yield* requireYearOfNumber(stored, facts, "delete the draft and create it anew")
  return facts
})
