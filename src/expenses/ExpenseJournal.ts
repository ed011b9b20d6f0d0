import { Effect } from "effect"
import { exponentOf } from "../kernel/Currency.ts"
import { formatAmount } from "../kernel/Money.ts"
import type { Entry } from "../platform/events/Journal.ts"
import { recordEvent } from "../platform/events/RecordEvent.ts"
import { CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { Expense } from "./Expense.ts"

export const expenseEvent = recordEvent("expense", Expense)

/** The audit entry of something done to an expense, with the events it causes. */
export const expenseEntry = Effect.fnUntraced(function* (
  action: string,
  expense: Expense,
  events: NonNullable<Entry["events"]> = []
): Effect.fn.Return<Entry, never, CurrentOrganization | CurrentPrincipal> {
  const { id: organization_id } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  const { billed_invoice_id, currency, id: expense_id, linked_invoice_id } = expense
  const amount = formatAmount(expense.amount, exponentOf(currency))
  const data = { expense_id, amount, currency, billed_invoice_id, linked_invoice_id }
  return { organization_id, actor, action, data, events }
})
