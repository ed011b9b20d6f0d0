import { addDaysAtMost } from "../../kernel/Calendar.ts"
import { pointsOf } from "./candidates/Candidate.ts"
import type { Entry, Party } from "./candidates/CandidateIndex.ts"
import { combination, netCombinations } from "./Combination.ts"
import { type Mention, mention_points } from "./mentions/Mentions.ts"
import { explainSum } from "./Score.ts"
import {
  isDeducted,
  isClear,
  netOf,
  otherMentioned,
  pointsOfMention,
  type Rated,
  type Search,
  suggested_points_min,
  totalOf
} from "./Search.ts"

/** Maximum number of documents of one party among which sums are searched. If a party has more, no sum is suggested. */
const combined_documents_max = 40
/** A line may pay all open documents of a party, including those dated up to this number of days after it. */
const days_ahead_max = 3

/**
 * Rates sums of documents of one party. The documents that the line mentions are summed. If it mentions none, all open
 * documents are summed, provided that they add up to the amount of the line. Otherwise the sum is that of some open
 * documents, provided that exactly one choice of them adds up to the amount.
 */
export const sums = (search: Search): ReadonlyArray<Rated> => {
  const mentioned = mentionedSums(search)
  return mentioned.length > 0 ? mentioned : openSums(search)
}

const mentionedSums = (search: Search): ReadonlyArray<Rated> => {
  const { effort, fits, mentions, subject } = search
  const strength = (entry: Entry) => mention_points[mentions.get(entry) ?? "short"]
  const mentioned = [...mentions.keys()].filter((entry) => fits(entry) && strength(entry) >= mention_points.bare)
  return [...Map.groupBy(mentioned, ({ party }) => party).values()].flatMap((entries) => {
    const [best] = entries.toSorted((left, right) => strength(right) - strength(left))
    if (best === undefined || entries.length < 2 || strength(best) < mention_points.keyword) return []
    const parts = totalOf(entries) === subject.amount ? entries : combination(subject.amount, entries, effort)
    return ratedSum(search, parts ?? [], {
      is_certain: true,
      mention: mentions.get(best),
      mentioned: parts?.length ?? 0
    })
  })
}

const openSums = (search: Search): ReadonlyArray<Rated> => {
  const { effort, isOpen, parties, subject } = search
  const last = addDaysAtMost(subject.line.booking_date, days_ahead_max)
  return [...parties].flatMap(({ documents }) => {
    if (documents.length < 2 || documents.length > combined_documents_max) return []
    // Nothing is deducted here, because `documents` has only documents that the line pays.
    const open = documents.filter(isOpen)
    const all = open.filter(({ candidate }) => candidate.date <= last)
    const is_certain = totalOf(all) === subject.amount
    const parts = is_certain ? all : combination(subject.amount, open, effort)
    return ratedSum(search, parts ?? [], { is_certain, mention: undefined, mentioned: 0 })
  })
}

export interface Nets {
  readonly rated: ReadonlyArray<Rated>
  /**
   * True if several choices of documents have the line's amount as net sum. A suggested part payment then needs a
   * person's check.
   */
  readonly is_doubtful: boolean
}

/**
 * Rates sets of documents in which some are deducted from the others. The line mentions all documents of such a set. If
 * there is none, and no suggestion without deductions fits the line's amount, open documents of a customer or supplier
 * are tried.
 */
export const nets = (search: Search, whole: ReadonlyArray<Rated>): Nets => {
  const rated = mentionedNet(search)
  const { amount } = search.subject
  const isFound = whole.some(({ entries, points }) => points >= suggested_points_min && totalOf(entries) === amount)
  if (rated.length > 0 || isFound) return { rated, is_doubtful: false }
  const found = [...search.parties].map((party) => openNets(search, party))
  return { rated: found.flatMap((each) => each.rated), is_doubtful: found.some((each) => each.is_doubtful) }
}

/** If the mentioned documents belong to several parties, each number must be mentioned in full. */
const mentionedNet = (search: Search): ReadonlyArray<Rated> => {
  const { isOpen, mentions, subject } = search
  const strength = (entry: Entry) => pointsOfMention(mentions.get(entry))
  const entries = [...mentions.keys()].filter((entry) => isOpen(entry) && strength(entry) >= mention_points.bare)
  const has_one_party = new Set(entries.map(({ party }) => party.key)).size === 1
  const needed = has_one_party ? mention_points.bare : mention_points.number
  if (!entries.some((entry) => strength(entry) >= mention_points.keyword)) return []
  if (netOf(subject, entries) !== subject.amount || entries.some((entry) => strength(entry) < needed)) return []
  return ratedNet(search, entries, true)
}

/**
 * Rates the only choice of the party's open documents whose net sum is the line's amount; none if several choices have
 * it.
 */
const openNets = (search: Search, party: Party): Nets => {
  const { effort, index, isOpen, mentions, subject } = search
  const opposite = index.opposite(party)
  if (opposite === undefined) return { rated: [], is_doubtful: false }
  const last = addDaysAtMost(subject.line.booking_date, days_ahead_max)
  const isDue = (entry: Entry) => isOpen(entry) && entry.candidate.date <= last
  const [added, deducted] = [party.documents.filter(isDue), opposite.documents.filter(isDue)]
  if (deducted.length === 0) return { rated: [], is_doubtful: false }
  const all = [...added, ...deducted]
  const isWhole = netOf(subject, all) === subject.amount
  const found = netCombinations(subject.amount, added, deducted, effort)
  if (found === undefined) return { rated: [], is_doubtful: false }
  const others = isWhole ? found.filter((entries) => entries.length < all.length) : found.slice(1)
  if (others.length > 0) return { rated: [], is_doubtful: true }
  // If the line mentions only some of the documents, it may be a part payment of these, so this choice is not certain.
  const mentioned = all.filter((entry) => isClear(mentions.get(entry))).length
  const is_certain = isWhole && (mentioned === 0 || mentioned === all.length)
  return { rated: ratedNet(search, isWhole ? all : found[0], is_certain), is_doubtful: false }
}

/** Rates a choice of documents. Returns nothing unless some of them are deducted and some are not. */
const ratedNet = (search: Search, entries: ReadonlyArray<Entry> = [], is_certain: boolean): ReadonlyArray<Rated> => {
  const [added, deducted] = [false, true].map((wanted) =>
    entries.filter((entry) => isDeducted(search.subject, entry) === wanted)
  )
  if (added === undefined || deducted === undefined || added.length === 0 || deducted.length === 0) return []
  const mentioned = entries.map((entry) => search.mentions.get(entry)).filter(isClear)
  const [mention] = mentioned.toSorted((left, right) => pointsOfMention(right) - pointsOfMention(left))
  return ratedSum(search, [...added, ...deducted], { is_certain, mention, mentioned: mentioned.length })
}

interface Certainty {
  readonly is_certain: boolean
  /** The most certain way in which the line mentions one of the documents. */
  readonly mention: Mention | undefined
  /** Count of the documents that the line mentions. */
  readonly mentioned: number
}

const ratedSum = (
  { elsewhere, payer, mentions, subject }: Search,
  entries: ReadonlyArray<Entry>,
  { is_certain, mention, mentioned }: Certainty
): ReadonlyArray<Rated> => {
  const [first, ...others] = entries
  if (first === undefined || others.length === 0) return []
  const deducted = entries.filter((entry) => isDeducted(subject, entry)).length
  const other = mention === undefined || deducted > 0 ? otherMentioned(mentions, elsewhere, entries) : undefined
  const party = others.every((entry) => entry.party.key === first.party.key) ? first.party : undefined
  const sum = { count: entries.length, deducted, mentioned, is_certain }
  const evidence = explainSum(subject, party, { mention, other, payer }, sum)
  return [{ ...evidence, entries: [first, ...others], points: pointsOf(evidence.signals) }]
}
