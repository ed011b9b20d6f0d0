import type { Reading } from "../../../platform/ocr/engines/Reading.ts"
import { type Arithmetic, arithmeticOf } from "../fields/Arithmetic.ts"
import { amountForm, likelyCurrency } from "../fields/Currencies.ts"
import { type IssueDateCandidate, issueDateCandidates } from "../fields/IssueDates.ts"
import { knownRates } from "../taxes/KnownRates.ts"
import { type Features, logistic, logOdds, type Ranked, ranked, scoreOf } from "../fields/Ranking.ts"
import { cash_rounding_max, type TaxGroup } from "../taxes/PrintedTaxes.ts"
import { grossSums, taxGroupsOf } from "../taxes/Taxes.ts"
import { settledTotal } from "../fields/SettledTotals.ts"
import { isClean, isPayment, type TotalCandidate, totalCandidates } from "../fields/Totals.ts"
import { type VendorCandidate, vendorCandidates } from "../fields/Vendors.ts"
import {
  amountConfidence,
  amountConfidenceInText,
  type AmountEvidence,
  dateConfidence,
  dateConfidenceInText,
  type DateEvidence,
  dateWeights,
  totalWeights,
  vendorConfidence,
  vendorWeights
} from "../fields/Weights.ts"
import type { DateOrder } from "../scan/Dates.ts"
import { rowsOf } from "../scan/Rows.ts"
import { type Scan, scanOf } from "../scan/Scan.ts"
import type { Hints } from "./Hints.ts"

export interface Evidence {
  readonly source: Reading["source"]
  readonly scan: Scan
  readonly rates: ReadonlySet<number>
  readonly sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>
  readonly arithmetic: Arithmetic
  /** False if the document shows two receipts; undefined if this was not examined. */
  readonly isOneReceipt?: boolean
  /** False if pages or words of the document were not read; undefined if this was not examined. */
  readonly isWhole?: boolean
}

/** The result of reading a field again several times, compared with its first value. */
export interface Recheck {
  /** 1 if all repeated readings gave the value of the first reading; otherwise half the share of those that did. */
  readonly agrees: number
  /** 1 if repeated readings gave values, but none gave the value of the first reading; otherwise 0. */
  readonly differs: number
}

export interface Rechecks {
  readonly amount?: Recheck
  readonly date?: Recheck
  /** The texts that a second recognition engine read in the row of the vendor. */
  readonly vendorTexts?: ReadonlyArray<string>
}

export interface FieldChoice<A, Name extends string = string> {
  readonly best: A
  readonly reasons: Features<Name>
  readonly confidence: number
  readonly others: ReadonlyArray<Ranked<A>>
  /** True when a second place or a calculation on the receipt gives the same value. */
  readonly isConfirmed: boolean
  /** True when several calculations give the same value, so that one recognition pass is enough. */
  readonly isProven: boolean
  /** True when the repeated readings of the field gave only other values. */
  readonly isDenied: boolean
}

const probability_min = 0.02
/** Probability of a total of zero or less, which does not compete with the other amounts. */
const settled_probability = 0.5
const others_max = 4

export const evidenceOf = (reading: Reading, hints: Hints): Evidence => {
  const rows = rowsOf(reading)
  const currency = likelyCurrency(rows, hints.currency)
  const scan = scanOf(reading, rows, amountForm(rows, currency), dateOrderOf(hints, currency))
  const rates = knownRates(rows, hints.country)
  const sums = grossSums(taxGroupsOf(scan, rates))
  return { source: reading.source, scan, rates, sums, arithmetic: arithmeticOf(scan, sums.keys()) }
}

/** Only the United States always write the month first; in these other countries both orders are common. */
const bothOrders = new Set(["", "CA", "PH", "PR", "BZ", "PA"])

const dateOrderOf = ({ country, currency }: Hints, likely: string): DateOrder => {
  if (bothOrders.has(country) || (likely === "USD") !== (currency === "USD")) return "unknown"
  return country === "US" ? "month_first" : "day_first"
}

export const chooseAmount = (
  evidence: Evidence,
  recheck?: Recheck
): FieldChoice<TotalCandidate, AmountEvidence> | undefined => {
  const { arithmetic, rates, scan } = evidence
  const rank = (pass?: number) => ranked(totalCandidates(scan, arithmetic, rates, pass), totalWeights)
  const all = rank()
  const positive = all.filter(({ candidate }) => candidate.units > 0)
  const best = settled(scan, all) ?? positive[0]
  if (best === undefined || best.probability < probability_min) return undefined
  const { features } = best.candidate
  const units = payableOf(evidence, best.candidate.units)
  const proofs = proofsIn(features)
  const payments = scan.amounts.filter((money) => isPayment(money) && !money.concepts.has("total"))
  const isPaid = payments.some((money) => money.units === units)
  const score = {
    bias: 1,
    log_odds: logOdds(best.probability),
    ...passEvidence(scan.passes, best.candidate.units, (pass) => rank(pass)[0]?.candidate.units),
    one_digit_off: Number(
      positive.some(
        ({ candidate }) =>
          candidate.units !== best.candidate.units &&
          candidate.amounts.some(isClean) &&
          isMisreading(candidate.units, best.candidate.units)
      )
    ),
    arithmetic: Math.min(2, proofs),
    paid: Number(isPaid),
    labelled: features.total ?? 0,
    seen_again: features.repeated ?? 0,
    contradicted: Number(contradicts(evidence, units)),
    repaired: features.repaired ?? 0,
    confidence: Math.max(...best.candidate.amounts.map((money) => money.confidence)),
    reread_agrees: recheck?.agrees ?? 0,
    reread_differs: recheck?.differs ?? 0
  }
  // Only the largest amount is confirmed by a repetition: others, such as the sum of one rate, may occur twice.
  const isLargest = features.largest === 1
  // A tax fits several totals that differ by a few cents, so it makes a total likely but does not confirm its digits.
  const confirmations = proofs - (features.tax_fits ?? 0) + Number(isPaid) + (isLargest ? score.seen_again : 0)
  return {
    best: { ...best.candidate, units },
    reasons: score,
    confidence: logistic(scoreOf(score, evidence.source === "ocr" ? amountConfidence : amountConfidenceInText)),
    others: positive.filter(({ candidate }) => candidate !== best.candidate).slice(0, others_max - 1),
    isConfirmed: confirmations > 0 || (isLargest && score.reread_agrees === 1),
    isProven: confirmations > 1,
    isDenied: score.reread_differs === 1
  }
}

/** Compares the value of the field with the value that each recognition pass alone gives. */
const passEvidence = <Value>(count: number, value: Value, valueOfPass: (pass: number) => Value | undefined) => {
  const passes = Array.from({ length: count }, (_, pass) => valueOfPass(pass))
  return {
    one_pass: Number(count === 1),
    passes_agree: Number(count > 1 && passes.every((other) => other === value)),
    passes_differ: Number(passes.some((other) => other !== undefined && other !== value))
  }
}

/** Adds up how many calculations on the receipt give the total. */
const proofsIn = (features: TotalCandidate["features"]): number =>
  [
    features.subtotal_and_tax,
    features.cash_less_change,
    features.items,
    features.tax_table,
    features.net_and_tax,
    features.tax_fits,
    features.with_tip
  ].reduce<number>((sum, proof) => sum + (proof ?? 0), 0)

/** Returns the total of a receipt whose buyer paid nothing, or got money back. */
const settled = (scan: Scan, all: ReadonlyArray<Ranked<TotalCandidate>>): Ranked<TotalCandidate> | undefined => {
  const units = settledTotal(scan)
  if (units === undefined) return undefined
  const amounts = scan.amounts.filter((money) => money.units === units)
  const zero: TotalCandidate = { units, amounts: amounts.filter(isClean), features: { bias: 1, total: 1 } }
  const candidate = all.find((one) => one.candidate.units === units)?.candidate ?? zero
  return { candidate, probability: settled_probability }
}

/** Returns the amount after cash rounding, because some countries round cash payments to five cents. */
const payableOf = ({ arithmetic, scan }: Evidence, total: number): number => {
  const roundings = scan.amounts.filter(({ concepts }) => concepts.has("rounding") && !concepts.has("total"))
  // The few digits of a rounding are easily misread. So if the receipt has a label such as "rounding", each of its
  // amounts may be the rounded total.
  const isStated = scan.rows.some(({ labels }) => labels.some(({ concept }) => concept === "rounding"))
  const rounded = [
    ...arithmetic.cashLessChange,
    ...(isStated ? scan.amounts.map(({ units }) => units) : []),
    ...roundings.flatMap(({ units }) => [total + units, total - units])
  ]
  const isRounded = (paid: number) => paid % 5 === 0 && Math.abs(paid - total) <= cash_rounding_max
  return total % 5 === 0 ? total : (rounded.find(isRounded) ?? total)
}

/** True if a card payment, or cash minus change, shows that a different amount was paid. */
export const contradicts = ({ arithmetic }: Evidence, units: number): boolean => {
  const says = (sums: ReadonlySet<number>) => sums.size > 0 && !sums.has(units)
  return says(new Set([...arithmetic.cashLessChange].filter((sum) => sum > 0))) || says(arithmetic.paid)
}

/** True if one digit differs, or the first digit is missing. */
const isMisreading = (a: number, b: number): boolean => {
  const [left, right] = [String(a), String(b)]
  if (left.length === right.length)
    return Array.from(left).filter((digit, index) => digit !== right[index]).length === 1
  return Math.abs(left.length - right.length) === 1 && (left.endsWith(right) || right.endsWith(left))
}

export const chooseDate = (
  evidence: Evidence,
  today: string,
  recheck?: Recheck
): FieldChoice<IssueDateCandidate, DateEvidence> | undefined => {
  const { scan } = evidence
  const rank = (pass?: number) => ranked(issueDateCandidates(scan, today, pass), dateWeights)
  const all = rank()
  const [best] = all
  if (best === undefined || best.probability < probability_min) return undefined
  const { day, features } = best.candidate
  const score = {
    bias: 1,
    log_odds: logOdds(best.probability),
    ...passEvidence(scan.passes, day, (pass) => rank(pass)[0]?.candidate.day),
    one_digit_off: Number(
      all.some(
        ({ candidate }) =>
          candidate.day !== day && Array.from(candidate.day).filter((digit, index) => digit !== day[index]).length === 1
      )
    ),
    labelled: features.date ?? 0,
    time: features.time ?? 0,
    not_date: Math.max(features.not_date ?? 0, features.above_not_date ?? 0),
    seen_again: features.repeated ?? 0,
    ambiguous: Number(best.candidate.isAmbiguous),
    recent: features.recent ?? 0,
    old: features.old ?? 0,
    confidence: Math.max(...best.candidate.dates.map((date) => date.confidence)),
    reread_agrees: recheck?.agrees ?? 0,
    reread_differs: recheck?.differs ?? 0
  }
  return {
    best: best.candidate,
    reasons: score,
    confidence: logistic(scoreOf(score, evidence.source === "ocr" ? dateConfidence : dateConfidenceInText)),
    others: all.slice(1, others_max),
    isConfirmed: score.seen_again > 0 || score.reread_agrees === 1,
    isProven: false,
    isDenied: score.reread_differs === 1
  }
}

export const chooseVendor = (
  { scan }: Evidence,
  ownNames: ReadonlyArray<string>
): FieldChoice<VendorCandidate> | undefined => {
  const all = ranked(vendorCandidates(scan, ownNames), vendorWeights)
  const [best] = all
  if (best === undefined || best.probability < probability_min) return undefined
  const score = { bias: 1, log_odds: logOdds(best.probability), confidence: best.candidate.row.confidence }
  return {
    best: best.candidate,
    reasons: score,
    confidence: logistic(scoreOf(score, vendorConfidence)),
    others: all.slice(1, others_max),
    isConfirmed: false,
    isProven: false,
    isDenied: false
  }
}
