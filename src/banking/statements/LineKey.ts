import { formatAmount } from "../../kernel/Money.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { folded } from "../matching/Words.ts"
import type { StatementLine } from "./Statement.ts"

/** What makes two lines of one account the same line, as text to be hashed; contract section 10, line identity. */
const identityOf = (line: StatementLine): string => {
  const amount = formatAmount(line.amount, exponentOf(line.currency))
  // A returned payment may bear the id of the first one: date and amount tell them apart.
  const facts = [line.booking_date, amount, line.currency]
  return line.bank_id === null
    ? ["content", ...facts, folded(line.counterparty_name ?? ""), line.counterparty_iban ?? "", textOf(line)].join("|")
    : ["bank", ...facts, line.bank_id].join("|")
}

const textOf = ({ reference, remittance_text }: StatementLine): string =>
  folded(`${reference ?? ""} ${remittance_text}`)

/** A line of a file with how many like it came before it in the file: equal lines are several, not one. */
export interface KeyedLine {
  readonly line: StatementLine
  readonly identity: string
  readonly occurrence: number
}

/** Numbers the lines of a file in their order. */
export const lineKeys = (): ((line: StatementLine) => KeyedLine) => {
  const counts = new Map<string, number>()
  return (line) => {
    const identity = identityOf(line)
    const occurrence = counts.get(identity) ?? 0
    counts.set(identity, occurrence + 1)
    return { line, identity, occurrence }
  }
}
