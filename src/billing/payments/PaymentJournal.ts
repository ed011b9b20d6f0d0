import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { callerEntry, type Entry } from "../../platform/events/Journal.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Payment } from "./Payment.ts"

export const paymentEvent = recordEvent("payment", Payment)

/** The audit entry of something done to a payment, with the events it causes. */
export const paymentEntry = (action: string, payment: Payment, events?: Entry["events"]) => {
  const { currency, id: payment_id, invoice_id } = payment
  const amount = formatAmount(payment.amount, exponentOf(currency))
  return callerEntry(action, { payment_id, invoice_id, amount, currency }, events)
}
