import { BigDecimal } from "effect"
import type { CounterpartyId } from "../../../kernel/Ids.ts"
import type { Counterparty } from "../../counterparties/Counterparty.ts"
import type { StatementLine } from "../../records/Statement.ts"
import { type Candidate, unitsOf } from "./Candidate.ts"
import type { Habits } from "./Habits.ts"
import type { Name } from "../../texts/Words.ts"

export type MatchedLine = Pick<
  StatementLine,
  "booking_date" | "amount" | "currency" | "counterparty_name" | "counterparty_iban" | "remittance_text" | "reference"
>

/** The parties that an IBAN identifies, each with its kind. */
type Owners = ReadonlyMap<CounterpartyId, Counterparty["type"]>

/** Data about payers that does not come from the open documents. */
export interface Knowledge {
  readonly owners: ReadonlyMap<string, Owners>
  readonly habits: Habits
}

/** A bank line, with the values that are computed once, before it is compared with candidates. */
export interface Subject {
  readonly line: MatchedLine
  readonly direction: Candidate["direction"]
  readonly amount: bigint
  readonly text: string
  readonly name: Name
  readonly owners: Owners
  /** The party whose documents were paid by earlier lines with this name. */
  readonly learned: string | undefined
  readonly codes: ReadonlyMap<string, string>
}

const nobody: Owners = new Map()

/** Text of the line in which payers mention documents. */
export const mentioningText = ({ reference, remittance_text }: Pick<StatementLine, "reference" | "remittance_text">) =>
  reference === null ? remittance_text : `${reference} | ${remittance_text}`

export const subjectOf = (line: MatchedLine, name: Name, { habits, owners }: Knowledge): Subject => {
  const text = mentioningText(line)
  return {
    line,
    direction: BigDecimal.isNegative(line.amount) ? "debit" : "credit",
    amount: unitsOf(line.amount),
    text,
    name,
    owners: owners.get(line.counterparty_iban ?? "") ?? nobody,
    learned: habits.partyOfName(line.counterparty_name),
    codes: habits.codesOf(text)
  }
}
