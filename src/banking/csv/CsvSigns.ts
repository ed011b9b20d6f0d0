import { BigDecimal, Option, Result } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { zero } from "../../kernel/Money.ts"
import { folded } from "../texts/Words.ts"
import { AmbiguousSign, type SignsSeen } from "../records/StatementErrors.ts"
import { type Chain, chainOf } from "./cells/CsvBalance.ts"
import type { Columns } from "./CsvColumns.ts"
import type { CsvMapping } from "./cells/CsvMapping.ts"
import type { Profile } from "./cells/CsvValues.ts"
import { credit_words, debit_words, rankOf } from "./cells/CsvWords.ts"

export interface Figures {
  readonly line: number
  readonly day: Day
  readonly amount: Option.Option<BigDecimal.BigDecimal>
  readonly debit: Option.Option<BigDecimal.BigDecimal>
  readonly credit: Option.Option<BigDecimal.BigDecimal>
  readonly fee: Option.Option<BigDecimal.BigDecimal>
  readonly balance: Option.Option<BigDecimal.BigDecimal>
  /** True if the amount shows its sign, by a plus, a minus, parentheses or letters. */
  readonly marked: boolean
  readonly word: string
}

/**
 * How a row shows that it is a debit: by a minus, by the absence of a minus (`inverted`), by an amount in the debit
 * column, where a minus may mark corrections (`net_columns`), or by a word.
 */
type SignKind = "signed" | "inverted" | "columns" | "net_columns" | "words"
type SignProof = "mapping" | "balance" | "values" | "none"

export interface SignRule {
  readonly kind: SignKind
  /** True if the fee reduces the amount; false if the amount already contains the fee. */
  readonly deducts_fee: boolean
  readonly proof: SignProof
}

/** A file with at least this many lines and no debit is refused: its signs are probably in another column. */
const unsigned_lines_max = 10
const candidate_values_max = 6
const rows_per_value_min = 3

const of = (value: Option.Option<BigDecimal.BigDecimal>) => Option.getOrElse(value, () => zero)
const isFilled = (value: Option.Option<BigDecimal.BigDecimal>) => !BigDecimal.isZero(of(value))

interface SignContext {
  readonly columns: Columns
  readonly profiles: ReadonlyArray<Profile>
  readonly mapping: CsvMapping
  /** Words in the file that suggest the statement of a credit card, which often lists purchases without a minus. */
  readonly card: string | undefined
}

const isDebitWord = (word: string, { sign }: CsvMapping): boolean | undefined => {
  const text = folded(word)
  if (sign?.debit_values !== undefined) return sign.debit_values.some((value) => folded(value) === text)
  return debit_words.has(text) ? true : credit_words.has(text) ? false : undefined
}

/** Computes the amount of a row by a sign rule; the failure says why the row has no amount. */
export const amountBy = (
  { deducts_fee, kind }: Pick<SignRule, "deducts_fee" | "kind">,
  figures: Figures,
  mapping: CsvMapping
): Result.Result<BigDecimal.BigDecimal, string> => {
  const amount = grossBy(kind, figures, mapping)
  const fee = deducts_fee ? BigDecimal.abs(of(figures.fee)) : zero
  return Result.map(amount, (gross) => BigDecimal.subtract(gross, fee))
}

const grossBy = (
  kind: SignKind,
  figures: Figures,
  mapping: CsvMapping
): Result.Result<BigDecimal.BigDecimal, string> => {
  const { amount, credit, debit, word } = figures
  switch (kind) {
    case "signed":
    case "inverted": {
      if (Option.isNone(amount)) return Result.fail("The row has no amount.")
      return Result.succeed(kind === "signed" ? amount.value : BigDecimal.negate(amount.value))
    }
    case "words": {
      if (Option.isNone(amount)) return Result.fail("The row has no amount.")
      const isDebit = isDebitWord(word, mapping)
      if (isDebit === undefined) return Result.fail("The sign is neither debit nor credit.")
      const absolute = BigDecimal.abs(amount.value)
      return Result.succeed(isDebit ? BigDecimal.negate(absolute) : absolute)
    }
    case "columns":
    case "net_columns": {
      if (!isFilled(debit) && !isFilled(credit)) return Result.fail("The row has no amount.")
      if (isFilled(debit) && isFilled(credit)) return Result.fail("The row is both debit and credit.")
      const sized = (value: BigDecimal.BigDecimal) => (kind === "columns" ? BigDecimal.abs(value) : value)
      return Result.succeed(BigDecimal.subtract(sized(of(credit)), sized(of(debit))))
    }
  }
}

interface Choice {
  readonly kinds: ReadonlyArray<SignKind>
  /** The evidence that proves the sign rule without the running balance. With "none", only the balance can prove it. */
  readonly proof: SignProof
  /** False for a card statement, whose running balance is a debt and so cannot show which amounts are debits. */
  readonly byBalance: boolean
}

/** Lists the sign rules that are possible for the values, the likeliest first. */
const choiceOf = (rows: ReadonlyArray<Figures>, { card, columns, mapping }: SignContext): Choice => {
  const amounts = rows.map(({ amount }) => of(amount))
  const hasMinus = amounts.some(BigDecimal.isNegative)
  if (mapping.sign?.positive !== undefined && columns.amount !== undefined) {
    return { kinds: [mapping.sign.positive === "credit" ? "signed" : "inverted"], proof: "mapping", byBalance: true }
  }
  if (mapping.sign?.column !== undefined && mapping.sign.column !== null) {
    return { kinds: ["words"], proof: "mapping", byBalance: true }
  }
  const hasColumns = columns.debit !== undefined && columns.credit !== undefined
  if (columns.amount === undefined || (hasColumns && !hasMinus)) return columnChoice(rows)
  if (columns.sign !== undefined) {
    if (!hasMinus) return { kinds: ["words"], proof: "values", byBalance: true }
    const debits = new Set(rows.map(({ word }) => isDebitWord(word, mapping)))
    const agrees = (isDebit: boolean) =>
      rows.every(({ amount, word }) => (isDebitWord(word, mapping) === isDebit) === BigDecimal.isNegative(of(amount)))
    if (agrees(true)) return { kinds: ["signed"], proof: "values", byBalance: true }
    // If only credits have a minus, as on a card statement, the words for debit and credit decide, provided that both
    // words occur.
    if (agrees(false) && debits.size === 2) return { kinds: ["words"], proof: "values", byBalance: false }
    return { kinds: ["signed", "words"], proof: "none", byBalance: true }
  }
  if (card !== undefined && !hasColumns) return { kinds: ["signed", "inverted"], proof: "none", byBalance: false }
  // If only credits have a plus in this file, an amount without a sign is probably a debit.
  const isMarked = hasMinus || rows.every(({ amount, marked }) => marked || !isFilled(amount))
  return { kinds: ["signed", "inverted"], proof: isMarked ? "values" : "none", byBalance: true }
}

/**
 * Chooses the rules for a debit and a credit column. In these columns, some banks write a minus before every debit,
 * others only before a correction.
 */
const columnChoice = (rows: ReadonlyArray<Figures>): Choice => {
  const debits = rows.map(({ debit }) => of(debit)).filter((debit) => !BigDecimal.isZero(debit))
  const isMixed = debits.some(BigDecimal.isNegative) && !debits.every(BigDecimal.isNegative)
  return isMixed || rows.some(({ credit }) => BigDecimal.isNegative(of(credit)))
    ? { kinds: ["columns", "net_columns"], proof: "none", byBalance: true }
    : { kinds: ["columns"], proof: "values", byBalance: true }
}

interface Tried extends Omit<SignRule, "proof"> {
  readonly chain: Chain | undefined
  readonly amounts: ReadonlyArray<BigDecimal.BigDecimal>
}

const triedBy = (rows: ReadonlyArray<Figures>, choice: Choice, fees: ReadonlyArray<boolean>, mapping: CsvMapping) =>
  choice.kinds.flatMap((kind) =>
    fees.map((deducts_fee): Tried => {
      const amounts = rows.map((row) => Result.getOrElse(amountBy({ kind, deducts_fee }, row, mapping), () => zero))
      const steps = rows.map(({ balance, day, line }, index) => ({
        row: line,
        day,
        amount: amounts[index] ?? zero,
        balance: Option.getOrNull(balance)
      }))
      return { kind, deducts_fee, amounts, chain: chainOf(steps) }
    })
  )

const isSame = (left: Tried, right: Tried) =>
  left.amounts.every((amount, index) => BigDecimal.equals(amount, right.amounts[index] ?? zero))

interface Trial {
  readonly rows: ReadonlyArray<Figures>
  readonly context: SignContext
  readonly choice: Choice
  /** The rules that the running balance proves. */
  readonly proved: ReadonlyArray<Tried>
  /** The likeliest rule; undefined if nothing shows whether the amounts already contain the fee. */
  readonly likely: Tried | undefined
}

/**
 * Chooses the sign rule by the mapping, the balances and the values. If nothing proves a rule, a mapping is required,
 * except for a file of few lines without any signs.
 */
export const signRuleOf = (
  rows: ReadonlyArray<Figures>,
  context: SignContext
): Result.Result<SignRule, AmbiguousSign> => {
  const { card, columns, mapping, profiles } = context
  const choice = choiceOf(rows, context)
  const fees = feesOf(rows, context)
  const tried = triedBy(rows, choice, fees, mapping)
  const proved = choice.byBalance ? tried.filter(({ chain }) => chain?.isProved === true) : []
  const trial: Trial = { rows, context, choice, proved, likely: fees.length > 1 ? undefined : tried[0] }
  const rule = provedByBalance(trial) ?? provedByValues(trial) ?? credible(trial)
  if (rule !== undefined) return Result.succeed(rule)
  const fee = fees.length > 1 && choice.proof !== "none" ? profiles[columns.fee ?? -1] : undefined
  const seen = seenIn(context, choice)
  if (fee !== undefined) return Result.fail(AmbiguousSign.ofFee(fee.header, seen))
  const isCard = card !== undefined && isUnmarked(choice)
  return Result.fail(isCard ? AmbiguousSign.ofCard(card, seen) : AmbiguousSign.of(seen))
}

/** Returns whether the fee may have to be deducted from the amount: true, false or, if nothing shows it, both. */
const feesOf = (rows: ReadonlyArray<Figures>, { columns, mapping, profiles }: SignContext): ReadonlyArray<boolean> => {
  const hasFees = rows.some(({ fee }) => isFilled(fee))
  const isNet = /^(net|netto)/.test(folded(profiles[columns.amount ?? -1]?.header ?? ""))
  // Net amounts have the fee deducted already. A fee column in the mapping means that the fee is still to be deducted.
  return !hasFees || isNet ? [false] : mapping.columns?.fee === undefined ? [true, false] : [true]
}

/** True if the amounts have no signs that show which of them are debits. */
const isUnmarked = ({ kinds, proof }: Choice): boolean => proof === "none" && kinds.includes("inverted")

/** True if the running balance proves other rules than the likeliest one. */
const isContradicted = ({ likely, proved }: Trial): boolean =>
  proved.length > 0 && !proved.some((rule) => rule === likely)

const provedByBalance = ({ choice, context, proved, rows }: Trial): SignRule | undefined => {
  const [first] = proved
  if (first === undefined || !proved.every((other) => isSame(first, other))) return undefined
  // The running balance does not prove the sign of the first row. If the amounts have no signs, but another column may
  // state them, the balance is not sufficient.
  const isOpen = isUnmarked(choice) && candidatesIn(context, rows.length, 1).length > 0
  return isOpen ? undefined : { ...first, proof: "balance" }
}

const provedByValues = (trial: Trial): SignRule | undefined => {
  const { choice, likely, rows } = trial
  if (likely === undefined || choice.proof === "none" || isContradicted(trial)) return undefined
  // Without a minus in the debit column, the bank may have swapped the debit and the credit column.
  const isMarked = likely.kind !== "columns" || rows.some(({ debit }) => BigDecimal.isNegative(of(debit)))
  return { ...likely, proof: isMarked || rows.length === 0 ? choice.proof : "none" }
}

/** Reads the amounts of a short file without any signs as credits, although nothing proves it. */
const credible = (trial: Trial): SignRule | undefined => {
  const { choice, context, likely, rows } = trial
  if (likely === undefined || !isUnmarked(choice) || !choice.byBalance || isContradicted(trial)) return undefined
  const isCredible =
    rows.length < unsigned_lines_max &&
    !rows.some(({ marked }) => marked) &&
    candidatesIn(context, rows.length, rows_per_value_min).length === 0
  return isCredible ? { ...likely, proof: "none" } : undefined
}

/** Finds columns with few different values. They may contain words for debit and credit that are not known here. */
const candidatesIn = ({ columns, profiles }: SignContext, rows: number, rows_per_value: number) =>
  profiles.flatMap(({ distinct, filled, header, is }, index) => {
    const isNamed = rankOf(header, "sign") !== undefined
    const isFew = distinct.size > 1 && distinct.size <= candidate_values_max && rows >= distinct.size * rows_per_value
    const isFree = [
      columns.booking_date,
      columns.value_date,
      columns.amount,
      columns.balance,
      columns.currency
    ].includes(index)
    return !isFree && filled >= rows && !is.number && !is.date && (isNamed || isFew || is.sign)
      ? [{ column: header, position: index + 1, values: [...distinct].slice(0, candidate_values_max) }]
      : []
  })

const readings: SignsSeen["candidates"] = [{ sign: { positive: "credit" } }, { sign: { positive: "debit" } }]

const seenIn = (context: SignContext, choice: Choice): SignsSeen => {
  const { card, profiles } = context
  const rows = Math.max(0, ...profiles.map(({ filled }) => filled))
  const columns = candidatesIn(context, rows, rows_per_value_min)
  const isOpen = choice.kinds.includes("inverted") && (card !== undefined || columns.length === 0)
  return {
    headers: profiles.map(({ header }) => header),
    candidates: isOpen ? [...columns, ...readings] : columns
  }
}
