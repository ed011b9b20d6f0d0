import { type BigDecimal, Effect } from "effect"
import { addDaysAtMost } from "../../kernel/Calendar.ts"
import { amountOf, type Candidate, pointsOf, score_of_point, type ScorePart, unitsOf } from "./Candidate.ts"
import { type CandidateIndex, candidateIndex, type DocumentId, type Entry, type Party } from "./CandidateIndex.ts"
import { combination } from "./Combination.ts"
import { type Quote, quote_clear_min, quote_points } from "./quotes/Quotes.ts"
import { type Evidence, explain, explainSum, name_same_min } from "./Score.ts"
import { type Knowledge, type MatchedLine, type Subject, subjectOf } from "./Subject.ts"
import { type Name, nameOf, similarity } from "../texts/Words.ts"

const suggested_points_min = 6
/** Minimum lead in points of the best suggestion, so that no person has to choose. */
const lead_points_min = 4
/** Maximum points of a suggestion that fits, but whose document or party the line does not identify. */
const unidentified_points_max = 9
const score_max = 100
/** Maximum number of documents of one party that are combined to a sum; parties with more documents are skipped. */
const combined_documents_max = 40
/** Number of days after the line up to which documents count as "all open documents". */
const days_ahead_max = 3

const remembered_names_max = 10_000

/** A document, and the amount of it that is left to pay. */
export interface Suggested {
  readonly candidate: Candidate
  readonly open: BigDecimal.BigDecimal
}

export interface Suggestion {
  /** One document, or several of one party that the line pays together. */
  readonly documents: readonly [Suggested, ...ReadonlyArray<Suggested>]
  readonly score: number
  readonly signals: ReadonlyArray<ScorePart>
  /** The line's absolute amount less the amount that is left to pay, when the two differ; else null. */
  readonly difference: BigDecimal.BigDecimal | null
}

export type Finding =
  | { readonly _tag: "None" }
  /** The best suggestion, and whether it may be confirmed without a person's check. */
  | { readonly _tag: "Suggested"; readonly best: Suggestion; readonly confirmable: boolean }
  /** The first of several suggestions between which a person must choose. */
  | { readonly _tag: "Ambiguous"; readonly best: Suggestion }

const none: Finding = { _tag: "None" }

/** Returns whether a user has said that the line and the candidate do not belong together. */
type IsDeclined = (candidate: Candidate) => boolean

/** A suggestion under comparison with others. */
interface Rated extends Evidence {
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  readonly points: number
}

export interface MatcherOptions extends Knowledge {
  readonly auto_threshold: number
  /** Returns the document outside the candidates that a text quotes. */
  readonly quotedElsewhere: (text: string) => string | undefined
}

/** Finds documents for bank lines. */
export const matcher = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, options: MatcherOptions) {
  const index = yield* candidateIndex(candidates)
  const effort = { steps: 0 }
  const names = new Map<string | null, Name>()
  /** A statement repeats the names of its payers, so each name is analysed once. */
  const nameIn = ({ counterparty_name }: MatchedLine): Name => {
    const name = names.get(counterparty_name) ?? nameOf(counterparty_name)
    if (names.size < remembered_names_max) names.set(counterparty_name, name)
    return name
  }

  const find = (line: MatchedLine, isDeclined: IsDeclined = () => false): Finding => {
    const subject = subjectOf(line, nameIn(line), options)
    const quotes = index.quoted(subject.text)
    const fits = ({ candidate, open }: Entry) =>
      open > 0n &&
      candidate.direction === subject.direction &&
      candidate.currency === line.currency &&
      !isDeclined(candidate)
    const elsewhere = options.quotedElsewhere(subject.text)
    const parties = index.partiesOf(subject)
    const search = { index, subject, quotes, elsewhere, parties, payer: onlyNamed(subject, parties), fits, effort }
    const rated = [...singles(search), ...sums(search)].toSorted(
      (left, right) => right.points - left.points || left.entries[0].candidate.id - right.entries[0].candidate.id
    )
    return decide(subject, rated, options.auto_threshold)
  }

  return {
    find,
    has: index.has,
    /** Records that the line's documents were paid, so that later lines do not pay them again. */
    take: (document: DocumentId, amount: BigDecimal.BigDecimal) => index.take(document, unitsOf(amount))
  }
})

export type Matcher = Effect.Success<ReturnType<typeof matcher>>

type Quotes = ReadonlyMap<Entry, Quote>

const isClear = (quote: Quote | undefined): boolean => quote !== undefined && quote_points[quote] >= quote_clear_min

/** Returns the number of a document that the text quotes besides the given entries. */
const otherQuoted = (
  quotes: Quotes,
  elsewhere: string | undefined,
  entries: ReadonlyArray<Entry>
): string | undefined => {
  const own = new Set(entries.flatMap(({ candidate }) => [candidate.number, candidate.reference].map(plainNumber)))
  const others = [...quotes].flatMap(([{ candidate }, quote]) =>
    isClear(quote) ? (candidate.number ?? candidate.reference ?? []) : []
  )
  // A supplier's invoice may have the same number as one of the entries; then the text quotes no other number.
  return [...others, ...(elsewhere === undefined ? [] : [elsewhere])].find((number) => !own.has(plainNumber(number)))
}

const plainNumber = (number: string | null): string => (number ?? "").toUpperCase().replaceAll(/[^0-9A-Z]/g, "")

interface Search {
  readonly index: CandidateIndex
  readonly subject: Subject
  readonly quotes: Quotes
  /** A document outside the candidates that the line quotes. */
  readonly elsewhere: string | undefined
  /** The parties that the line's account or name may belong to. */
  readonly parties: ReadonlySet<Party>
  /** The only party that has the line's name. */
  readonly payer: Party | undefined
  readonly fits: (entry: Entry) => boolean
  readonly effort: { steps: number }
}

const onlyNamed = ({ name }: Subject, parties: ReadonlySet<Party>): Party | undefined => {
  const [first, ...others] = [...parties].filter((party) => similarity(name, party.name) >= name_same_min)
  return others.length === 0 ? first : undefined
}

const singles = ({ elsewhere, fits, index, payer, quotes, subject }: Search): ReadonlyArray<Rated> => {
  const exact = index.exact(subject)
  const entries = new Set([...quotes.keys(), ...exact.entries])
  return [...entries].filter(fits).flatMap((entry): ReadonlyArray<Rated> => {
    const quote = quotes.get(entry)
    // A payer who quotes several documents, and pays exactly one of them, means that document.
    const is_meant = isClear(quote) && entry.open === subject.amount
    const other = is_meant ? undefined : otherQuoted(quotes, elsewhere, [entry])
    const evidence = explain(subject, entry, { quote, other, payer }, exact.count)
    return evidence === undefined ? [] : [{ ...evidence, entries: [entry], points: pointsOf(evidence.signals) }]
  })
}

/**
 * Lists the sums of several documents of one party: of the quoted documents, else of all open ones or of the only
 * choice.
 */
const sums = (search: Search): ReadonlyArray<Rated> => {
  const quoted = quotedSums(search)
  return quoted.length > 0 ? quoted : openSums(search)
}

const quotedSums = (search: Search): ReadonlyArray<Rated> => {
  const { effort, fits, quotes, subject } = search
  const strength = (entry: Entry) => quote_points[quotes.get(entry) ?? "short"]
  const quoted = [...quotes.keys()].filter((entry) => fits(entry) && strength(entry) >= quote_points.bare)
  return [...Map.groupBy(quoted, ({ party }) => party).values()].flatMap((entries) => {
    const [best] = entries.toSorted((left, right) => strength(right) - strength(left))
    if (best === undefined || entries.length < 2 || strength(best) < quote_points.keyword) return []
    const parts = totalOf(entries) === subject.amount ? entries : combination(subject.amount, entries, effort)
    return ratedSum(search, parts, { is_certain: true, quote: quotes.get(best) })
  })
}

const openSums = (search: Search): ReadonlyArray<Rated> => {
  const { effort, fits, parties, subject } = search
  return [...parties].flatMap(({ documents }) => {
    if (documents.length < 2 || documents.length > combined_documents_max) return []
    const last = addDaysAtMost(subject.line.booking_date, days_ahead_max)
    const open = documents.filter(fits)
    const all = open.filter(({ candidate }) => candidate.date <= last)
    const is_certain = totalOf(all) === subject.amount
    const parts = is_certain ? all : combination(subject.amount, open, effort)
    return ratedSum(search, parts, { is_certain, quote: undefined })
  })
}

/** Rates a sum of at least two documents. */
const ratedSum = (
  { elsewhere, payer, quotes, subject }: Search,
  entries: ReadonlyArray<Entry> = [],
  { is_certain, quote }: { readonly is_certain: boolean; readonly quote: Quote | undefined }
): ReadonlyArray<Rated> => {
  const [first, ...others] = entries
  if (first === undefined || others.length === 0) return []
  const other = quote === undefined ? otherQuoted(quotes, elsewhere, entries) : undefined
  const evidence = explainSum(subject, first.party, { quote, other, payer }, { count: entries.length, is_certain })
  return [{ ...evidence, entries: [first, ...others], points: pointsOf(evidence.signals) }]
}

const totalOf = (entries: ReadonlyArray<Entry>): bigint => entries.reduce((sum, { open }) => sum + open, 0n)

/** Returns the best suggestion, and decides whether a person must check it. */
const decide = (subject: Subject, rated: ReadonlyArray<Rated>, auto_threshold: number): Finding => {
  const [best, ...others] = rated
  if (best === undefined || best.points < suggested_points_min) return none
  const suggestion = suggestionOf(subject, best)
  // A suggestion whose documents all belong to the best sum does not compete with the sum.
  const second = others.find(({ entries }) => !entries.every((entry) => best.entries.includes(entry)))
  const is_close = second !== undefined && best.points - second.points < lead_points_min
  if (is_close || conflicts(subject, best, others)) return { _tag: "Ambiguous", best: suggestion }
  const is_overpaid = totalOf(best.entries) < subject.amount
  return { _tag: "Suggested", best: suggestion, confirmable: !is_overpaid && suggestion.score >= auto_threshold }
}

/** A line that pays a part of one document, but exactly another document of the same party, may mean either. */
const conflicts = (subject: Subject, best: Rated, others: ReadonlyArray<Rated>): boolean =>
  totalOf(best.entries) !== subject.amount &&
  others.some(({ entries: [entry] }) => entry.open === subject.amount && entry.party === best.entries[0].party)

const suggestionOf = ({ amount }: Subject, { entries, is_identified, points, signals }: Rated): Suggestion => {
  const [first, ...others] = entries
  const counted = is_identified ? points : Math.min(points, unidentified_points_max)
  const total = totalOf(entries)
  return {
    documents: [suggested(first), ...others.map(suggested)],
    score: Math.min(score_max, counted * score_of_point),
    signals,
    difference: total === amount ? null : amountOf(amount - total)
  }
}

const suggested = ({ candidate, open }: Entry): Suggested => ({ candidate, open: amountOf(open) })
