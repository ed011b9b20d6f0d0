import { Effect } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Payment } from "./Payment.ts"

export const paymentEvent = recordEvent("payment", Payment)

/** The audit entry of something done to a payment, with the events it causes. */
export const paymentEntry = Effect.fnUntraced(function* (
  action: string,
  payment: Payment,
  events: NonNullable<Entry["events"]> = []
): Effect.fn.Return<Entry, never, CurrentOrganization | CurrentPrincipal> {
  const { id: organization_id } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  const { currency, id: payment_id, invoice_id } = payment
  const amount = formatAmount(payment.amount, exponentOf(currency))
  return { organization_id, actor, action, data: { payment_id, invoice_id, amount, currency }, events }
})
