import { Effect, Schema } from "effect"
import type { EventName } from "../../kernel/EventName.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { Invoice, type InvoiceStatus } from "./Invoice.ts"

const encode = Schema.encodeEffect(Invoice)

/** What an invoice's events carry: the invoice as GET answers it, and the status it had before. */
export const invoiceEvent = Effect.fnUntraced(function* (type: EventName, invoice: Invoice, before?: InvoiceStatus) {
  // The encoded form of a response is JSON by construction.
  const attributes = (yield* Effect.orDie(encode(invoice))) as unknown as Json
  const previous = before === undefined ? {} : { previous: { status: before } }
  return { type, data: { object: "invoice", id: invoice.id, attributes, ...previous } }
})

/** The audit entry of something done to an invoice, with the events it causes. */
export const invoiceEntry = Effect.fnUntraced(function* (
  action: string,
  invoice: Invoice,
  events: NonNullable<Entry["events"]>
): Effect.fn.Return<Entry, never, CurrentOrganization | CurrentPrincipal> {
  const { id: organization_id } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  return { organization_id, actor, action, data: { invoice_id: invoice.id, number: invoice.number }, events }
})
