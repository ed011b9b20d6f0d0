import { lettersAndDigits } from "../texts/Words.ts"
import type { Subject } from "./candidates/Subject.ts"
import type { CandidateIndex, Entry, Party } from "./candidates/CandidateIndex.ts"
import { type Mention, mention_points, mention_clear_min } from "./mentions/Mentions.ts"
import type { Evidence } from "./Score.ts"

export const suggested_points_min = 6

export interface Rated extends Evidence {
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  readonly points: number
}

export interface Search {
  readonly index: CandidateIndex
  readonly subject: Subject
  readonly mentions: Mentions
  /** The number of a mentioned document that is not among the candidates, for example because it is paid. */
  readonly elsewhere: string | undefined
  /** The parties to which the account or the name in the line may belong. */
  readonly parties: ReadonlySet<Party>
  /** The only party with the name that the line states; undefined if there are none or several. */
  readonly payer: Party | undefined
  /** Tells whether the line may pay the document. */
  readonly fits: (entry: Entry) => boolean
  /** Tells whether the line may pay the document or deduct it. */
  readonly isOpen: (entry: Entry) => boolean
  /** Money that was recorded without a bank line and may be that of the line. */
  readonly recorded: ReadonlyArray<Entry>
  readonly effort: { steps: number }
}

type Mentions = ReadonlyMap<Entry, Mention>

export const pointsOfMention = (mention: Mention | undefined): number =>
  mention === undefined ? 0 : mention_points[mention]

export const isClear = (mention: Mention | undefined): boolean => pointsOfMention(mention) >= mention_clear_min

/** Returns the number of a document that the line certainly mentions and that is not one of the given entries. */
export const otherMentioned = (
  mentions: Mentions,
  elsewhere: string | undefined,
  entries: ReadonlyArray<Entry>
): string | undefined => {
  const own = new Set(entries.flatMap(({ candidate }) => [candidate.number, candidate.reference].map(plainNumber)))
  const others = [...mentions].flatMap(([{ candidate }, mention]) =>
    isClear(mention) ? (candidate.number ?? candidate.reference ?? []) : []
  )
  // Two suppliers' invoices may have the same number, so a number that one of `entries` has is not returned.
  return [...others, ...(elsewhere === undefined ? [] : [elsewhere])].find((number) => !own.has(plainNumber(number)))
}

const plainNumber = (number: string | null): string => lettersAndDigits(number ?? "")

export const isDeducted = ({ direction }: Subject, { candidate }: Entry): boolean => candidate.direction !== direction

export const totalOf = (entries: ReadonlyArray<Entry>): bigint => entries.reduce((sum, { open }) => sum + open, 0n)

/** Returns the open amounts of the documents to pay, minus those of the deducted documents. */
export const netOf = (subject: Subject, entries: ReadonlyArray<Entry>): bigint =>
  entries.reduce((sum, entry) => (isDeducted(subject, entry) ? sum - entry.open : sum + entry.open), 0n)
