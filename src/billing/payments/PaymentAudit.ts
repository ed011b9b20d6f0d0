import { Effect } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { paymentSeal } from "./PaymentSeal.ts"
import { Payment } from "./Payment.ts"

export const paymentEvent = recordEvent("payment", Payment)

export const paymentEntry = Effect.fnUntraced(function* (action: string, payment: Payment, events?: Entry["events"]) {
  const { id: organization_id } = yield* CurrentOrganization
  const { currency, id: payment_id, invoice_id } = payment
  const amount = formatAmount(payment.amount, exponentOf(currency))
  const facts = yield* paymentSeal(organization_id, { ...payment, deleted: action === "payment.deleted" })
  const data = { payment_id, invoice_id, amount, currency, sha256: sha256Hex(facts) }
  return yield* callerEntry(action, data, events)
})
