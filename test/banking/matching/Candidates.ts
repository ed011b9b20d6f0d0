import { BigDecimal, Effect, Schema } from "effect"
import { Candidate } from "../../../src/banking/matching/candidates/Candidate.ts"
import { habitsOf } from "../../../src/banking/matching/candidates/Habits.ts"
import { matcher, type MatcherOptions } from "../../../src/banking/matching/Matcher.ts"
import type { StatementLine } from "../../../src/banking/records/Statement.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { CounterpartyId } from "../../../src/kernel/Ids.ts"

const day = Schema.decodeSync(Day)
export const currency = Schema.decodeSync(CurrencyCode)

export const line = (amount: string, changes: Partial<StatementLine> = {}): StatementLine => ({
  booking_date: day("2026-03-10"),
  value_date: null,
  amount: BigDecimal.fromStringUnsafe(amount),
  currency: currency("EUR"),
  counterparty_name: null,
  counterparty_iban: null,
  remittance_text: "",
  reference: null,
  bank_id: null,
  ...changes
})

export const invoice = (id: number, open: string, changes: object = {}): Candidate =>
  Schema.decodeSync(Candidate)({
    type: "invoice",
    direction: "credit",
    id,
    open,
    currency: "EUR",
    date: "2026-03-01",
    due_date: "2026-03-31",
    counterparty_id: 9,
    counterparty_name: "Beta Services BV",
    number: `INV-2026-000${id}`,
    reference: null,
    ...changes
  })

/** The IBAN of the customer who owes {@link invoice}. */
export const iban = "BE71096123456769"

export const optionsOf = (changes: Partial<MatcherOptions> = {}): MatcherOptions => ({
  auto_threshold: 50,
  owners: new Map([[iban, new Map([[CounterpartyId.make(9), "customer" as const]])]]),
  habits: habitsOf([]),
  mentionedElsewhere: () => undefined,
  ...changes
})

export const find = (
  candidates: ReadonlyArray<Candidate>,
  subject: StatementLine,
  changes: Partial<MatcherOptions> = {},
  isSettled?: () => boolean
) => Effect.map(matcher(candidates, optionsOf(changes)), (found) => found.find(subject, isSettled))

/**
 * Returns the ids of the suggested documents, the score, and whether the suggestion may be confirmed automatically. If
 * nothing is suggested, returns the `_tag` of the result.
 */
export const outcomeOf = Effect.fnUntraced(function* (...asked: Parameters<typeof find>) {
  const found = yield* find(...asked)
  if (found._tag !== "Suggested") return found._tag
  const { documents, score } = found.best
  return [...documents.map(({ candidate }) => candidate.id), score, found.confirmable]
})

export const signalsOf = Effect.fnUntraced(function* (...asked: Parameters<typeof find>) {
  const found = yield* find(...asked)
  return found._tag === "None" ? [] : found.best.signals.map(({ points, signal }) => `${signal} ${points}`)
})
