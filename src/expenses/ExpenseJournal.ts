import { exponentOf } from "../kernel/Currency.ts"
import { formatAmount } from "../kernel/Money.ts"
import { callerEntry, type Entry } from "../platform/events/Journal.ts"
import { recordEvent } from "../platform/events/RecordEvent.ts"
import { Expense } from "./Expense.ts"

export const expenseEvent = recordEvent("expense", Expense)

/** The audit entry of something done to an expense, with the events it causes. */
export const expenseEntry = (action: string, expense: Expense, events?: Entry["events"]) => {
  const { billed_invoice_id, currency, id: expense_id, linked_invoice_id } = expense
  const amount = formatAmount(expense.amount, exponentOf(currency))
  return callerEntry(action, { expense_id, amount, currency, billed_invoice_id, linked_invoice_id }, events)
}
