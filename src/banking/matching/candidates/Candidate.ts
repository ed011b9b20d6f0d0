import { BigDecimal, Schema } from "effect"
import { Day, daysBetween } from "../../../kernel/Calendar.ts"
import { CurrencyCode } from "../../../kernel/Currency.ts"
import { CounterpartyId, CreditNoteId, ExpenseId, InvoiceId, PaymentId, RefundId } from "../../../kernel/Ids.ts"
import { Amount } from "../../../kernel/Money.ts"
import { described } from "../../../kernel/Described.ts"
import { storedWord } from "../../../kernel/StoredWord.ts"

const Common = {
  /**
   * Credits (incoming money) pay our invoices and suppliers' credit notes; debits pay expenses and our credit notes.
   */
  direction: Schema.Literals(["credit", "debit"]),
  /** Amount that is still to be paid; positive for a supplier's credit note, too. */
  open: Amount,
  currency: CurrencyCode,
  date: Day,
  due_date: Day,
  /** Null for an expense if no stored counterparty has the name of its vendor. */
  counterparty_id: Schema.NullOr(CounterpartyId),
  counterparty_name: Schema.NullOr(Schema.String),
  number: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String),
  /**
   * Set if the money was recorded without a bank line: the payment, which is null for a paid expense and a refund, and
   * the days on which the money may have moved. `open` is then the recorded amount.
   */
  recorded: Schema.optionalKey(Schema.Struct({ payment_id: Schema.NullOr(PaymentId), days: Schema.NonEmptyArray(Day) }))
}

/**
 * An open document that a bank line may settle. A `credit_note` is our own; a supplier's credit note is an `expense`. A
 * `refund` was recorded by hand and always has `recorded`.
 */
export const Candidate = Schema.Union([
  Schema.Struct({ type: Schema.Literal("credit_note"), id: CreditNoteId, ...Common }),
  Schema.Struct({ type: Schema.Literal("refund"), id: RefundId, ...Common }),
  Schema.Struct({ type: Schema.Literal("invoice"), id: InvoiceId, ...Common }),
  Schema.Struct({ type: Schema.Literal("expense"), id: ExpenseId, ...Common })
])
export type Candidate = typeof Candidate.Type

const Signal = Schema.Literals([
  "reference",
  "number",
  "amount",
  "sum",
  "bank_charge",
  "part_payment",
  "overpayment",
  "recorded",
  "only_amount",
  "common_amount",
  "iban",
  "other_iban",
  "name",
  "other_name",
  "habit",
  "before_issue",
  "late",
  "other_document",
  "opposite_amount",
  "own_account",
  "fee_name"
])

export const StoredScorePart = Schema.Struct({
  signal: described(storedWord(Signal.literals), "What was compared."),
  points: described(Schema.Int, "Points that it adds to the score; negative if it is evidence against the document."),
  reason: described(Schema.String, "The reason in words.")
}).annotate({ identifier: "SuggestionSignal", description: "One reason for or against a suggestion, with its points." })
export type ScorePart = typeof StoredScorePart.Type & { readonly signal: typeof Signal.Type }

/**
 * A score is the sum of all points times this factor, at most 100. The setting `reconciliation_auto_threshold` is a
 * minimum score.
 */
export const score_of_point = 5

export const pointsOf = (parts: ReadonlyArray<ScorePart>): number => parts.reduce((sum, { points }) => sum + points, 0)

/** Maximum number of days between recorded money and the bank line that may have brought it. */
export const recorded_days_max = 5

export const isNearDay = (left: Day, right: Day): boolean => Math.abs(daysBetween(left, right)) <= recorded_days_max

const decimals_max = 6

/** The absolute amount in millionths, because integers are compared and added faster than decimals. */
export const unitsOf = (amount: BigDecimal.BigDecimal): bigint =>
  BigDecimal.scale(BigDecimal.abs(amount), decimals_max).value

export const amountOf = (units: bigint): BigDecimal.BigDecimal => BigDecimal.make(units, decimals_max)
