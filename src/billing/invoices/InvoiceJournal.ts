import { Effect } from "effect"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Invoice } from "./Invoice.ts"

export const invoiceEvent = recordEvent("invoice", Invoice)

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
