import { BigDecimal } from "effect"
import type { StatementLine } from "../statements/Statement.ts"
import { type Candidate, sameAmount, type ScorePart, scoreOf } from "./Candidate.ts"
import { combination } from "./Combination.ts"
import { explain, hasReference, isSameName, numberKey, type Subject, subjectOf } from "./Score.ts"
import { nameTokens } from "./Words.ts"

/** Contract section 10, matcher. */
const suggested_points_min = 40
const lead_points_min = 15
/** Above or below what is open: a charge or a slip, to be looked at by a person. */
const difference_percent_max = BigDecimal.make(5n, 3)
const combined_candidates_max = 40
/** Two names that are 0.85 alike (Dice) have at least 74 % of the words of each in common. */
const words_differing_max = 0.26

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

/** Finds documents for bank lines. Made once for many lines: what can be looked up is not gone through for each. */
export const matcher = (candidates: ReadonlyArray<Candidate>, auto_threshold: number) => {
  const byReference = new Map<string, Array<Candidate>>()
  const byNumber = new Map<string, Array<Candidate>>()
  const byAmount = new Map<string, Array<Candidate>>()
  const byParty = new Map<string, Array<Candidate>>()
  for (const candidate of candidates) {
    const reference = candidate.reference?.toUpperCase().replaceAll(/[^0-9A-Z]/g, "")
    const number = numberKey(candidate)
    if (reference !== undefined) push(byReference, reference, candidate)
    if (number !== undefined) push(byNumber, number, candidate)
    for (const key of new Set([amountKey(candidate.open), amountKey(candidate.total)])) push(byAmount, key, candidate)
    push(byParty, partyKey(candidate), candidate)
  }

  const parties = [...byParty.values()].filter(({ length }) => length <= combined_candidates_max).map(partyOf)
  const byIban = new Map<string, Array<Party>>()
  const byWord = new Map<string, Array<Party>>()
  for (const party of parties) {
    for (const iban of party.ibans) push(byIban, iban, party)
    for (const word of party.name) push(byWord, word, party)
  }

  /** Names that are close have most of their words in common, so one of the rarer ones is. */
  const namedLike = (name: ReadonlySet<string>): ReadonlyArray<Party> => {
    const lists = [...name].map((word) => byWord.get(word) ?? []).toSorted((left, right) => left.length - right.length)
    const rarer = lists.slice(0, Math.floor(name.size * words_differing_max) + 1)
    return rarer.flat().filter((party) => isSameName(name, party.name))
  }

  /** Without its reference, its number or its amount no candidate has the points to be suggested. */
  const possible = ({ line, references, tokens }: Subject): ReadonlyArray<Candidate> => {
    const found = new Set<Candidate>(byAmount.get(amountKey(line.amount)))
    for (const reference of references) for (const each of byReference.get(reference) ?? []) found.add(each)
    for (const token of tokens) for (const each of byNumber.get(token) ?? []) found.add(each)
    return [...found].filter((candidate) => fits(line, candidate))
  }

  const effort = { steps: 0 }
  const combined = (subject: Subject, isDeclined: IsDeclined): Finding => {
    const { line, name } = subject
    const known = line.counterparty_iban === null ? [] : (byIban.get(line.counterparty_iban) ?? [])
    const solutions = [...new Set([...known, ...namedLike(name)])].flatMap(({ documents }) => {
      const open = documents.filter((candidate) => fits(line, candidate) && !isDeclined(candidate))
      const parts = combination(line.amount, open, effort)
      return parts === undefined ? [] : [parts]
    })
    const [parts, ...others] = solutions
    return parts === undefined || others.length > 0 ? none : { _tag: "Combined", parts }
  }

  return (line: StatementLine, isDeclined: IsDeclined = () => false): Finding => {
    const subject = subjectOf(line)
    const [best, second] = possible(subject)
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
}

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

const amountKey = (amount: BigDecimal.BigDecimal): string => BigDecimal.format(BigDecimal.abs(amount))

/** Whoever several documents are of, with what bank lines know them by. */
interface Party {
  readonly documents: ReadonlyArray<Candidate>
  readonly ibans: ReadonlyArray<string>
  readonly name: ReadonlySet<string>
}

const partyOf = (documents: ReadonlyArray<Candidate>): Party => ({
  documents,
  ibans: documents[0]?.ibans ?? [],
  name: nameTokens(documents[0]?.counterparty_name ?? "")
})

const partyKey = ({ counterparty_id, counterparty_name, type }: Candidate): string =>
  counterparty_id === null ? `${type} ${counterparty_name ?? ""}` : `${type} ${counterparty_id}`

const push = <A>(index: Map<string, Array<A>>, key: string, entry: A): void => {
  const list = index.get(key)
  if (list === undefined) index.set(key, [entry])
  else list.push(entry)
}
