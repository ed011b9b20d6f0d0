import { BigDecimal, Effect } from "effect"
import { amountOf, type Candidate, pointsOf, score_of_point, type ScorePart, unitsOf } from "./candidates/Candidate.ts"
import { candidateIndex, type DocumentId, type Entry, type Party } from "./candidates/CandidateIndex.ts"
import { explain } from "./Score.ts"
import { isDeducted, isClear, netOf, otherMentioned, type Rated, type Search, suggested_points_min } from "./Search.ts"
import { type Nets, nets, sums } from "./Sums.ts"
import { type Knowledge, type MatchedLine, type Subject, subjectOf } from "./candidates/Subject.ts"
import { type Name, name_same_min, nameOf, similarity } from "../texts/Words.ts"

/** A person must choose unless the best suggestion has at least this many points more than the second-best one. */
const lead_points_min = 4
/** Maximum points of a suggestion whose amount fits, while nothing in the line identifies its document or party. */
const unidentified_points_max = 9
const score_max = 100

const remembered_names_max = 10_000

export interface Suggested {
  readonly candidate: Candidate
  /** Negative if the document is deducted: its money moves in the other direction than that of the line. */
  readonly open: BigDecimal.BigDecimal
}

export interface Suggestion {
  /** One document, or several documents that the line pays together, usually all of one party. */
  readonly documents: readonly [Suggested, ...ReadonlyArray<Suggested>]
  readonly score: number
  readonly signals: ReadonlyArray<ScorePart>
  /** Positive if the line pays too much, negative if too little; null if it pays exactly what is left. */
  readonly difference: BigDecimal.BigDecimal | null
}

export type Finding =
  | { readonly _tag: "None" }
  /** The best suggestion. If it is `confirmable`, it may be confirmed without a person's check. */
  | { readonly _tag: "Suggested"; readonly best: Suggestion; readonly confirmable: boolean }
  /** The best of several suggestions between which a person must choose. */
  | { readonly _tag: "Ambiguous"; readonly best: Suggestion }

const none: Finding = { _tag: "None" }

/**
 * Tells whether a user has settled what the line pays of the candidate: nothing, because the user undid their match, or
 * the amount of their match.
 */
type IsSettled = (candidate: Candidate) => boolean

export interface MatcherOptions extends Knowledge {
  readonly auto_threshold: number
  /** Returns the number of a mentioned document that is not among the candidates, for example because it is paid. */
  readonly mentionedElsewhere: (text: string) => string | undefined
}

export const matcher = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, options: MatcherOptions) {
  const index = yield* candidateIndex(candidates)
  const effort = { steps: 0 }
  const names = new Map<string | null, Name>()
  /** Analyses a name. The result is kept, because a statement repeats the names of its payers. */
  const nameIn = ({ counterparty_name }: MatchedLine): Name => {
    const name = names.get(counterparty_name) ?? nameOf(counterparty_name)
    if (names.size < remembered_names_max) names.set(counterparty_name, name)
    return name
  }

  const find = (line: MatchedLine, isSettled: IsSettled = () => false): Finding => {
    const subject = subjectOf(line, nameIn(line), options)
    const mentions = index.mentioned(subject.text)
    const recorded = index.recorded(subject).filter(({ candidate }) => !isSettled(candidate))
    const isRecorded = ({ candidate: { id, type } }: Entry) =>
      recorded.some(({ candidate }) => candidate.type === type && candidate.id === id)
    // The line of a payment that was recorded by hand does not pay what is left of the invoice.
    const isOpen = (entry: Entry) => {
      const { candidate, open } = entry
      if (candidate.recorded !== undefined || isRecorded(entry)) return false
      return open > 0n && candidate.currency === line.currency && !isSettled(candidate)
    }
    const fits = (entry: Entry) => !isDeducted(subject, entry) && isOpen(entry)
    const parties = index.partiesOf(subject)
    if (mentions.size === 0 && parties.size === 0 && index.exact(subject).count === 0 && recorded.length === 0) {
      return none
    }
    const elsewhere = options.mentionedElsewhere(subject.text)
    const search = {
      index,
      subject,
      mentions,
      elsewhere,
      parties,
      payer: onlyNamed(subject, parties),
      fits,
      isOpen,
      recorded,
      effort
    }
    const whole = [...singles(search), ...sums(search)]
    const net = nets(search, whole)
    const rated = [...whole, ...net.rated].toSorted(
      (left, right) => right.points - left.points || left.entries[0].candidate.id - right.entries[0].candidate.id
    )
    return decide(subject, rated, { auto_threshold: options.auto_threshold, is_doubtful: net.is_doubtful })
  }

  return {
    find,
    /** Adds candidates that only some lines need; those that are known stay as they are. */
    add: index.addAll,
    has: index.has,
    /** Records that a document was paid, so that it is not suggested for later lines. */
    take: (document: DocumentId, amount: BigDecimal.BigDecimal) => index.take(document, unitsOf(amount))
  }
})

export type Matcher = Effect.Success<ReturnType<typeof matcher>>

const onlyNamed = ({ name }: Subject, parties: ReadonlySet<Party>): Party | undefined => {
  const [first, ...others] = [...parties].filter((party) => similarity(name, party.name) >= name_same_min)
  return others.length === 0 ? first : undefined
}

const singles = ({ elsewhere, fits, index, payer, mentions, recorded, subject }: Search): ReadonlyArray<Rated> => {
  const exact = index.exact(subject)
  const entries = new Set([...[...mentions.keys(), ...exact.entries].filter(fits), ...recorded])
  return [...entries].flatMap((entry): ReadonlyArray<Rated> => {
    const mention = mentions.get(entry)
    // If a line mentions several documents and its amount is exactly that of one of them, the line pays this one.
    const isMeant = isClear(mention) && entry.open === subject.amount
    const other = isMeant ? undefined : otherMentioned(mentions, elsewhere, [entry])
    const evidence = explain(subject, entry, { mention, other, payer }, exact.count + recorded.length)
    return evidence === undefined ? [] : [{ ...evidence, entries: [entry], points: pointsOf(evidence.signals) }]
  })
}

const decide = (
  subject: Subject,
  rated: ReadonlyArray<Rated>,
  { auto_threshold, is_doubtful }: Pick<MatcherOptions, "auto_threshold"> & Pick<Nets, "is_doubtful">
): Finding => {
  const [best, ...others] = rated
  if (best === undefined || best.points < suggested_points_min) return inDoubt(subject, rated)
  const suggestion = suggestionOf(subject, best)
  // The second-best suggestion. One whose documents are all part of the best suggestion does not count.
  const second = others.find(({ entries }) => !entries.every((entry) => best.entries.includes(entry)))
  const isClose = second !== undefined && best.points - second.points < lead_points_min
  const isInDoubt = is_doubtful && netOf(subject, best.entries) !== subject.amount
  if (isClose || isInDoubt || conflicts(subject, best, others)) return { _tag: "Ambiguous", best: suggestion }
  const isOverpaid = netOf(subject, best.entries) < subject.amount
  return { _tag: "Suggested", best: suggestion, confirmable: !isOverpaid && suggestion.score >= auto_threshold }
}

/**
 * Suggests recorded money even if other signals speak against it, such as the account of another party: a rule would
 * book the line, and if it is the line of this money, the books would count it twice. So a person must choose, whatever
 * the score is.
 */
const inDoubt = (subject: Subject, rated: ReadonlyArray<Rated>): Finding => {
  const best = rated.find(({ entries: [{ candidate }] }) => candidate.recorded !== undefined)
  if (best === undefined) return none
  return { _tag: "Ambiguous", best: suggestionOf(subject, best) }
}

/**
 * True if the amount of the line is not that of the best suggestion, but exactly that of another document of the same
 * party.
 */
const conflicts = (subject: Subject, best: Rated, others: ReadonlyArray<Rated>): boolean =>
  netOf(subject, best.entries) !== subject.amount &&
  others.some(({ entries: [entry] }) => entry.open === subject.amount && entry.party === best.entries[0].party)

const suggestionOf = (subject: Subject, { entries, is_identified, points, signals }: Rated): Suggestion => {
  const { amount } = subject
  const suggested = (entry: Entry): Suggested => {
    const open = amountOf(entry.open)
    return { candidate: entry.candidate, open: isDeducted(subject, entry) ? BigDecimal.negate(open) : open }
  }
  const [first, ...others] = entries
  const counted = is_identified ? points : Math.min(points, unidentified_points_max)
  const total = netOf(subject, entries)
  return {
    documents: [suggested(first), ...others.map(suggested)],
    score: Math.max(0, Math.min(score_max, counted * score_of_point)),
    signals,
    difference: total === amount ? null : amountOf(amount - total)
  }
}
