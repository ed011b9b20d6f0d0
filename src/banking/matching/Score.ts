import { type Day, daysBetween } from "../../kernel/Calendar.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { amountOf, type ScorePart } from "./candidates/Candidate.ts"
import type { Entry, Party } from "./candidates/CandidateIndex.ts"
import { name_near_min } from "./candidates/NameIndex.ts"
import { type Mention, mention_clear_min, mention_points } from "./mentions/Mentions.ts"
import type { Subject } from "./candidates/Subject.ts"
import { name_same_min, similarity } from "../texts/Words.ts"

/** Points that each signal adds to a score or takes from it. The points of mentioned numbers are in `mention_points`. */
const points = {
  amount: 5,
  recorded: 8,
  sum: 5,
  sum_certain: 8,
  bank_charge: 1,
  part_payment: -1,
  overpayment: -4,
  only_amount: 2,
  common_amount: -1,
  iban: 5,
  other_iban: -6,
  name: 4,
  name_near: 2,
  other_name: -2,
  before_issue: -5,
  late: -2,
  other_document: -8
} as const

const name_other_max = 0.35
/** Minimum number of words of a name that identifies a party: too many parties share a single word, such as "Beta". */
const name_words_min = 2
const days_before_issue_max = 3
const days_late_max = 180
/** If at least this number of documents have the same amount, the amount is weak evidence. */
const common_amount_min = 5

const unit = 1_000_000n
/** Maximum missing amounts that may be a bank charge, in millionths; `isCharge` explains them. */
const charge_small_max = 5n * unit
const charge_large_max = 15n * unit

export interface Evidence {
  readonly signals: ReadonlyArray<ScorePart>
  /** True if the line identifies the document or its party, and does not only have a fitting amount. */
  readonly is_identified: boolean
}

interface Comparison {
  readonly mention: Mention | undefined
  /** Number of another document, which the line mentions instead of this one. */
  readonly other: string | undefined
  /** The only party with the name that the line states; undefined if there are none or several. */
  readonly payer: Party | undefined
}

/** Lists the signals for and against one document; undefined if the amount of the line does not fit it. */
export const explain = (
  subject: Subject,
  entry: Entry,
  { other, payer: named, mention }: Comparison,
  equal_amounts: number
): Evidence | undefined => {
  const mentioned = mention === undefined ? [] : [mentionPart(entry, mention)]
  const amount = amountParts(subject, entry, mention, equal_amounts)
  if (amount === undefined) return undefined
  const payer = payerOf(subject, entry.party, named)
  const dated = entry.candidate.recorded === undefined ? dateParts(subject, entry) : []
  const vetoed = other === undefined ? [] : [otherPart(other)]
  const strength = mention === undefined ? 0 : mention_points[mention]
  const is_mentioned = strength >= mention_clear_min || (strength >= mention_points.bare && payer.is_near)
  // Money that arrived before the document was issued paid for something else, unless the line mentions the document.
  const is_early = dated.some(({ signal }) => signal === "before_issue") && strength < mention_points.keyword
  return {
    signals: [...mentioned, ...amount, ...payer.parts, ...dated, ...vetoed],
    is_identified: !is_early && (is_mentioned || payer.is_identified)
  }
}

interface Sum {
  readonly count: number
  readonly deducted: number
  /** Count of the documents that the line mentions. */
  readonly mentioned: number
  /** True if the documents are all the open documents of the party, or if the line mentions each of them. */
  readonly is_certain: boolean
}

/** `party` is the party of all documents; undefined if they have several. */
export const explainSum = (
  subject: Subject,
  party: Party | undefined,
  { other, payer: named, mention }: Comparison,
  { count, deducted, is_certain, mentioned: mentioned_count }: Sum
): Evidence => {
  const payer = party === undefined ? { parts: [], is_identified: false } : payerOf(subject, party, named)
  const each = mentioned_count === count ? "each" : `${mentioned_count}`
  const reason = `The line quotes ${each} of these documents.`
  const mentioned = mention === undefined ? [] : [{ signal: "number", ...mentionedWith(mention), reason } as const]
  const documents = `${count} open documents${party === undefined ? "" : ` of ${labelOf(party)}`}`
  const sum = {
    signal: "sum",
    points: is_certain ? points.sum_certain : points.sum,
    reason:
      deducted === 0
        ? `${documents} add up to exactly this amount.`
        : `${documents}, ${deducted} of them deducted, add up to exactly this amount.`
  } as const
  const vetoed = other === undefined ? [] : [otherPart(other)]
  return {
    signals: [...mentioned, sum, ...payer.parts, ...vetoed],
    is_identified: is_certain && (mentioned.length > 0 || payer.is_identified)
  }
}

const mentionedWith = (mention: Mention) => ({ points: mention_points[mention] })

const mentionPart = ({ candidate }: Entry, mention: Mention): ScorePart => {
  if (mention === "reference") {
    return {
      signal: "reference",
      ...mentionedWith(mention),
      reason: `The line quotes the reference ${candidate.reference}.`
    }
  }
  const number = candidate.number ?? candidate.reference
  const reasons = {
    number: `The line quotes the number ${number}.`,
    keyword: `The line names an invoice with the last part of the number ${number}.`,
    bare: `The line contains the digits of the number ${number}.`,
    short: `The line contains four digits of the number ${number}.`
  }
  return { signal: "number", ...mentionedWith(mention), reason: reasons[mention] }
}

const amountParts = (
  { amount, line }: Subject,
  { candidate: { recorded, type }, open }: Entry,
  mention: Mention | undefined,
  equal_amounts: number
): ReadonlyArray<ScorePart> | undefined => {
  if (amount === open) {
    const exact: ScorePart =
      recorded === undefined
        ? { signal: "amount", points: points.amount, reason: "The amount is exactly what is left to pay." }
        : { signal: "recorded", points: points.recorded, reason: recordedReason(type, recorded.days[0]) }
    if (equal_amounts === 1) {
      const reason = "No other open document has this amount."
      return [exact, { signal: "only_amount", points: points.only_amount, reason }]
    }
    if (equal_amounts < common_amount_min || recorded !== undefined) return [exact]
    const reason = `${equal_amounts} open documents have this amount.`
    return [exact, { signal: "common_amount", points: points.common_amount, reason }]
  }
  if (mention === undefined || mention_points[mention] < mention_points.keyword) return undefined
  const missing = open - amount
  const left = `${formatAmount(amountOf(missing < 0n ? -missing : missing), exponentOf(line.currency))} ${line.currency}`
  if (missing < 0n) {
    return [
      { signal: "overpayment", points: points.overpayment, reason: `The amount is ${left} more than is left to pay.` }
    ]
  }
  if (isCharge(missing, open)) {
    const reason = `Only ${left} is missing, which may be a bank charge.`
    return [{ signal: "bank_charge", points: points.bank_charge, reason }]
  }
  return [{ signal: "part_payment", points: points.part_payment, reason: `The amount leaves ${left} to pay.` }]
}

const recordedReason = (type: Entry["candidate"]["type"], day: Day): string =>
  type === "expense"
    ? "This amount of the expense was marked as paid without a bank transaction."
    : `A ${type === "refund" ? "refund" : "payment"} of this amount is dated ${day} and has no bank transaction.`

/**
 * True if the missing amount may be a bank charge: it is at most 5.00, at most 0.5 % of `open`, or at most 15.00 and
 * below 5 % of `open`. In each case, it is less than half of `open`.
 */
const isCharge = (missing: bigint, open: bigint): boolean =>
  missing * 2n < open &&
  (missing <= charge_small_max || missing * 200n <= open || (missing <= charge_large_max && missing * 20n < open))

const payerOf = ({ codes, learned, line, name, owners }: Subject, party: Party, named: Party | undefined) => {
  const parts: Array<ScorePart> = []
  const has_iban = party.id !== null && owners.has(party.id)
  if (has_iban) {
    const reason = `The account belongs to ${labelOf(party)}.`
    parts.push({ signal: "iban", points: points.iban, reason })
  } else if ([...owners.values()].includes(party.type)) {
    // A firm that is both customer and vendor has two ids. Until its IBAN is known for both, an owner of the other kind
    // may be this party.
    parts.push({ signal: "other_iban", points: points.other_iban, reason: "The account belongs to somebody else." })
  }
  const alike = similarity(name, party.name)
  const is_same = alike >= name_same_min
  const known_code = codes.get(party.key)
  const is_learned = learned === party.key || known_code !== undefined
  if (is_same) {
    parts.push({ signal: "name", points: points.name, reason: `The name is that of ${labelOf(party)}.` })
  } else if (is_learned) {
    const reason =
      known_code === undefined
        ? `Lines with this name were confirmed for ${labelOf(party)} before.`
        : `Lines with ${known_code.toUpperCase()} were confirmed for ${labelOf(party)} before.`
    parts.push({ signal: "habit", points: points.name, reason })
  } else if (alike >= name_near_min) {
    parts.push({ signal: "name", points: points.name_near, reason: `The name resembles that of ${labelOf(party)}.` })
  } else if (line.counterparty_name !== null && alike < name_other_max) {
    parts.push({ signal: "other_name", points: points.other_name, reason: "The name is different." })
  }
  const is_long = name.words.size >= name_words_min && party.name.words.size >= name_words_min
  return {
    parts,
    is_identified: has_iban || is_learned || (is_same && is_long && named === party),
    is_near: alike >= name_near_min || is_learned || has_iban
  }
}

const dateParts = ({ line }: Subject, { candidate }: Entry): ReadonlyArray<ScorePart> => {
  if (daysBetween(line.booking_date, candidate.date) > days_before_issue_max) {
    return [{ signal: "before_issue", points: points.before_issue, reason: `The document is dated ${candidate.date}.` }]
  }
  if (daysBetween(candidate.due_date, line.booking_date) <= days_late_max) return []
  return [{ signal: "late", points: points.late, reason: `The document was due on ${candidate.due_date}.` }]
}

const otherPart = (other: string): ScorePart => ({
  signal: "other_document",
  points: points.other_document,
  reason: `The line quotes ${other}, which is another document.`
})

const labelOf = ({ label }: Party): string => label ?? "this party"
