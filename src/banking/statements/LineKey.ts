import { formatAmount } from "../../kernel/Money.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { folded } from "../texts/Words.ts"
import type { StatementLine } from "../records/Statement.ts"

const identityOf = (line: StatementLine): string => {
  const amount = formatAmount(line.amount, exponentOf(line.currency))
  // A returned payment may have the same id as the original payment; date and amount distinguish them.
  const facts = [line.booking_date, amount, line.currency]
  return line.bank_id === null
    ? ["content", ...facts, folded(line.counterparty_name ?? ""), line.counterparty_iban ?? "", textOf(line)].join("|")
    : ["bank", ...facts, line.bank_id].join("|")
}

const textOf = ({ reference, remittance_text }: StatementLine): string =>
  folded(`${reference ?? ""} ${remittance_text}`)

/**
 * A line and its number among equal lines of the file, because equal lines are several movements and not copies of one.
 */
interface KeyedLine {
  readonly line: StatementLine
  readonly identity: string
  readonly occurrence: number
}

export const lineKeys = (): ((line: StatementLine) => KeyedLine) => {
  const counts = new Map<string, number>()
  return (line) => {
    const identity = identityOf(line)
    const occurrence = counts.get(identity) ?? 0
    counts.set(identity, occurrence + 1)
    return { line, identity, occurrence }
  }
}
