import { Effect } from "effect"
import { exponentOf } from "../kernel/Currency.ts"
import { formatAmount } from "../kernel/Money.ts"
import { callerEntry, type Entry } from "../platform/events/AuditLog.ts"
import { recordEvent } from "../platform/events/RecordEvent.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"
import { complete, Expense, type ExpenseFacts } from "./Expense.ts"
import type { ExpensesRepo } from "./ExpensesRepo.ts"

export const expenseEvent = recordEvent("expense", Expense)

/** Builds the audit entry of an action on an expense, with the events that it causes. */
export const expenseEntry = (action: string, expense: Expense, events?: Entry["events"]) => {
  const { billed_invoice_id, currency, id: expense_id, linked_invoice_id } = expense
  const amount = formatAmount(expense.amount, exponentOf(currency))
  return callerEntry(action, { expense_id, amount, currency, billed_invoice_id, linked_invoice_id }, events)
}

/** Saves the next version of an expense in the transaction that locked it, and returns it with its computed fields. */
export const auditedSave = (repo: ExpensesRepo["Service"]) =>
  Effect.fnUntraced(function* (action: string, facts: ExpenseFacts) {
    const { id: organization_id } = yield* CurrentOrganization
    const expense = complete(facts)
    yield* repo.save(organization_id, facts, yield* expenseEntry(action, expense))
    return expense
  })
