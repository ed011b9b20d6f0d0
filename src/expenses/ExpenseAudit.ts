import { Effect } from "effect"
import { exponentOf } from "../kernel/Currency.ts"
import { formatAmount } from "../kernel/Money.ts"
import { sha256Hex } from "../platform/crypto/Digest.ts"
import { callerEntry, type Entry } from "../platform/events/AuditLog.ts"
import { recordEvent } from "../platform/events/RecordEvent.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"
import { complete, Expense, type ExpenseFacts } from "./Expense.ts"
import { expenseSeal } from "./ExpenseSeal.ts"
import type { ExpensesRepo } from "./ExpensesRepo.ts"

export const expenseEvent = recordEvent("expense", Expense)

export const expenseEntry = Effect.fnUntraced(function* (
  action: string,
  facts: ExpenseFacts,
  events?: Entry["events"]
) {
  const { id: organization_id } = yield* CurrentOrganization
  const { billed_invoice_id, currency, id: expense_id, linked_invoice_id } = facts
  const amount = formatAmount(facts.amount, exponentOf(currency))
  const sha256 = sha256Hex(yield* expenseSeal(organization_id, { ...facts, deleted: action === "expense.deleted" }))
  const data = { expense_id, amount, currency, billed_invoice_id, linked_invoice_id, sha256 }
  return yield* callerEntry(action, data, events)
})

/** The entry about a change of an expense. Every change causes `expense.updated`, whatever the action is called. */
export const changeEntry = Effect.fnUntraced(function* (
  action: string,
  facts: ExpenseFacts,
  before: ExpenseFacts["status"]
) {
  return yield* expenseEntry(action, facts, [yield* expenseEvent("expense.updated", complete(facts), before)])
})

export const auditedSave = (repo: ExpensesRepo["Service"]) =>
  Effect.fnUntraced(function* (action: string, facts: ExpenseFacts, before: ExpenseFacts["status"]) {
    const { id: organization_id } = yield* CurrentOrganization
    yield* repo.save(organization_id, facts, yield* changeEntry(action, facts, before))
    return complete(facts)
  })
