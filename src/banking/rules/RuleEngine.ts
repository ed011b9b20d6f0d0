import { BigDecimal } from "effect"
import type { BankAccountId } from "../../kernel/Ids.ts"
import type { BankRule } from "./BankRule.ts"
import { type Subject, tester } from "./Condition.ts"

interface RuledLine extends Subject {
  readonly bank_account_id: BankAccountId
}

/** The rule that applies to a line: the first active one, in the order of priority and id, all of whose conditions hold. */
export const ruleEngine = (rules: ReadonlyArray<BankRule>): ((line: RuledLine) => BankRule | undefined) => {
  const ordered = rules
    .filter(({ is_active }) => is_active)
    .toSorted((left, right) => left.priority - right.priority || left.id - right.id)
    .map((rule) => ({ rule, tests: rule.conditions.map(tester) }))
  return (line) => ordered.find(({ rule, tests }) => concerns(rule, line) && tests.every((holds) => holds(line)))?.rule
}

const concerns = ({ actions, bank_account_id, direction }: BankRule, line: RuledLine): boolean => {
  if (BigDecimal.isZero(line.amount) || (bank_account_id !== null && bank_account_id !== line.bank_account_id))
    return false
  const isDebit = BigDecimal.isNegative(line.amount)
  const document = actions.document_type ?? null
  // What a rule of any direction makes fits one of them only.
  if (document !== null && (document === "expense") !== isDebit) return false
  return direction === "any" || (direction === "debit") === isDebit
}
