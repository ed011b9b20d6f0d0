import { Effect, Schema } from "effect"
import type { EventName } from "../../kernel/EventName.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Payment } from "./Payment.ts"

const encode = Schema.encodeEffect(Payment)

export const paymentEvent = Effect.fnUntraced(function* (type: EventName, payment: Payment) {
  // The encoded form of a response is JSON by construction.
  const attributes = (yield* Effect.orDie(encode(payment))) as unknown as Json
  return { type, data: { object: "payment", id: payment.id, attributes } }
})

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
