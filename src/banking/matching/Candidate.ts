import { BigDecimal, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CounterpartyId, ExpenseId, InvoiceId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"

const Common = {
  /** Amount that is still to be paid. */
  open: Amount,
  total: Amount,
  currency: CurrencyCode,
  date: Day,
  due_date: Day,
  /** Null for an expense whose vendor no bank line has named yet. */
  counterparty_id: Schema.NullOr(CounterpartyId),
  counterparty_name: Schema.NullOr(Schema.String),
  /** IBANs of the counterparty, as far as bank lines have shown them. */
  ibans: Schema.Array(Schema.String),
  number: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String)
}

/** A document that a bank line may settle: an open invoice for a credit, an unpaid expense for a debit. */
export const Candidate = Schema.Union([
  Schema.Struct({ type: Schema.Literal("invoice"), id: InvoiceId, ...Common }),
  Schema.Struct({ type: Schema.Literal("expense"), id: ExpenseId, ...Common })
])
export type Candidate = typeof Candidate.Type

const Signal = Schema.Literals(["reference", "number", "amount", "total", "iban", "name", "date", "declined"])

/** A signal and the points that it adds to a score. */
export const ScorePart = Schema.Struct({ signal: Signal, points: Schema.Int }).annotate({
  identifier: "SuggestionSignal"
})
export type ScorePart = typeof ScorePart.Type

export const scoreOf = (parts: ReadonlyArray<ScorePart>): number => parts.reduce((sum, { points }) => sum + points, 0)

export const sameAmount = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal): boolean =>
  BigDecimal.equals(BigDecimal.abs(left), BigDecimal.abs(right))
