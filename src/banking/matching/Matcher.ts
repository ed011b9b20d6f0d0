import { BigDecimal, Effect } from "effect"
import type { StatementLine } from "../statements/Statement.ts"
import { type Candidate, sameAmount, type ScorePart, scoreOf } from "./Candidate.ts"
import { candidateIndex } from "./CandidateIndex.ts"
import { combination } from "./Combination.ts"
import { explain, hasReference, type Subject, subjectOf } from "./Score.ts"

const suggested_points_min = 40
const lead_points_min = 15
/** Highest deviation from the open amount that may be a bank charge or a typing error, which a person should check. */
const difference_percent_max = BigDecimal.make(5n, 3)

export interface Suggestion {
  readonly candidate: Candidate
  readonly score: number
  readonly signals: ReadonlyArray<ScorePart>
  /** The line's absolute amount less the open amount when the two nearly agree; else null. */
  readonly difference: BigDecimal.BigDecimal | null
}

export type Finding =
  | { readonly _tag: "None" }
  /** The best candidate, and whether it may be confirmed without a person's check. */
  | { readonly _tag: "Suggested"; readonly best: Suggestion; readonly confirmable: boolean }
  /** The first of several candidates with the same score. */
  | { readonly _tag: "Ambiguous"; readonly best: Suggestion }
  /** Several documents of one party that add up to the line's amount. */
  | { readonly _tag: "Combined"; readonly parts: ReadonlyArray<Candidate> }

const none: Finding = { _tag: "None" }

/** Tells whether a user has said that the line and the candidate do not belong together. */
type IsDeclined = (candidate: Candidate) => boolean

/** Finds documents for bank lines. */
export const matcher = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, auto_threshold: number) {
  const index = yield* candidateIndex(candidates)
  const effort = { steps: 0 }
  const combined = (subject: Subject, isDeclined: IsDeclined): Finding => {
    const { line } = subject
    const solutions = index.ofParties(subject).flatMap((documents) => {
      const open = documents.filter((candidate) => fits(line, candidate) && !isDeclined(candidate))
      const parts = combination(line.amount, open, effort)
      return parts === undefined ? [] : [parts]
    })
    const [parts, ...others] = solutions
    return parts === undefined || others.length > 0 ? none : { _tag: "Combined", parts }
  }

  return (line: StatementLine, isDeclined: IsDeclined = () => false): Finding => {
    const subject = subjectOf(line)
    const [best, second] = [...index.possible(subject)]
      .filter((candidate) => fits(line, candidate))
      .map((candidate) => suggestionOf(subject, candidate, isDeclined(candidate)))
      .filter(({ score }) => score >= suggested_points_min)
      .toSorted((left, right) => right.score - left.score || left.candidate.id - right.candidate.id)
    if (best === undefined) return combined(subject, isDeclined)
    if (second?.score === best.score) return { _tag: "Ambiguous", best }
    const isExact = sameAmount(line.amount, best.candidate.open)
    const leads = best.score - (second?.score ?? 0) >= lead_points_min
    const isCertain = hasReference(subject, best.candidate) && second === undefined
    const confirmable = isExact && (isCertain || (best.score >= auto_threshold && leads))
    return { _tag: "Suggested", best, confirmable }
  }
})

export type Matcher = Effect.Success<ReturnType<typeof matcher>>

const suggestionOf = (subject: Subject, candidate: Candidate, isDeclined: boolean): Suggestion => {
  const signals = explain(subject, candidate, isDeclined)
  const difference = BigDecimal.subtract(BigDecimal.abs(subject.line.amount), candidate.open)
  const limit = BigDecimal.multiply(candidate.open, difference_percent_max)
  const isNear = !BigDecimal.isZero(difference) && BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(difference), limit)
  return { candidate, score: scoreOf(signals), signals, difference: isNear ? difference : null }
}

/** Incoming money settles invoices and outgoing money settles expenses, only in the same currency. */
const fits = ({ amount, currency }: StatementLine, candidate: Candidate): boolean =>
  candidate.currency === currency && (candidate.type === "expense") === BigDecimal.isNegative(amount)
