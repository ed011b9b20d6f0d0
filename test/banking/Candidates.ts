import { BigDecimal, Effect, Schema } from "effect"
import { Candidate } from "../../src/banking/matching/Candidate.ts"
import { matcher } from "../../src/banking/matching/Matcher.ts"
import type { StatementLine } from "../../src/banking/statements/Statement.ts"
import { Day } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"

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
    id,
    open,
    total: open,
    currency: "EUR",
    date: "2026-03-01",
    due_date: "2026-03-31",
    counterparty_id: 9,
    counterparty_name: "Beta Services BV",
    ibans: ["BE71096123456769"],
    number: `INV-2026-000${id}`,
    reference: null,
    ...changes
  })

export const threshold = 80
export const find = (candidates: ReadonlyArray<Candidate>, subject: StatementLine, isDeclined?: () => boolean) =>
  Effect.map(matcher(candidates, threshold), (found) => found(subject, isDeclined))
export const scoreOf = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, subject: StatementLine) {
  const found = yield* find(candidates, subject)
  return found._tag === "Suggested" ? [found.best.candidate.id, found.best.score, found.confirmable] : found._tag
})
