import { BigDecimal, Effect } from "effect"
import type { StatementLine } from "../statements/Statement.ts"
import { type Candidate, sameAmount, type ScorePart, scoreOf } from "./Candidate.ts"
import { candidateIndex } from "./CandidateIndex.ts"
import { combination } from "./Combination.ts"
import { explain, hasReference, type Subject, subjectOf } from "./Score.ts"

/** Contract section 10, matcher. */
const suggested_points_min = 40
const lead_points_min = 15
/** Above or below what is open: a charge or a slip, to be looked at by a person. */
const difference_percent_max = BigDecimal.make(5n, 3)

export interface Suggestion {
  readonly candidate: Candidate
  readonly score: number
  readonly signals: ReadonlyArray<ScorePart>
  /** What the line is above (or, negative, below) what is open, when they nearly agree; else null. */
  readonly difference: BigDecimal.BigDecimal | null
}

export type Finding =
  | { readonly _tag: "None" }
  /** The best one, and whether it may be confirmed without a person looking at it. */
  | { readonly _tag: "Suggested"; readonly best: Suggestion; readonly confirmable: boolean }
  /** The first of several that are equally good. */
  | { readonly _tag: "Ambiguous"; readonly best: Suggestion }
  /** Several documents of one party that add up to the line. */
  | { readonly _tag: "Combined"; readonly parts: ReadonlyArray<Candidate> }

const none: Finding = { _tag: "None" }

/** Pairs that somebody has said do not belong together. */
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

/** Money that comes in settles invoices, money that goes out expenses, and only of its own currency. */
const fits = ({ amount, currency }: StatementLine, candidate: Candidate): boolean =>
  candidate.currency === currency && (candidate.type === "expense") === BigDecimal.isNegative(amount)
