import { BigDecimal } from "effect"
import { addDaysAtMost, daysBetween } from "../../kernel/Calendar.ts"
import type { StatementLine } from "../statements/Statement.ts"
import { referenceOf, referencesIn } from "../statements/References.ts"
import { type Candidate, sameAmount, type ScorePart } from "./Candidate.ts"
import { joined, joinedTokens, nameTokens, similarity } from "./Words.ts"

/** Points that each signal adds to a candidate's score. */
const points = {
  reference: 60,
  number: 50,
  amount: 25,
  total: 10,
  iban: 20,
  name_close: 12,
  name_alike: 6,
  date_near: 5,
  date_late: 2,
  declined: -100
} as const
/** Lowest similarity at which two names are taken for the same party. */
export const name_close_min = 0.85
const name_alike_min = 0.6
const days_before_issue_max = 1
const days_late_near_max = 7
const days_late_max = 60
/** Highest number of words that are joined to one number: "INV - 2026 / 0042" consists of three. */
const number_tokens_max = 6
/** Shorter numbers, such as "7" or "12", occur in any text. */
const number_characters_min = 4

/** A bank line, with the values that scoring needs for each candidate. */
export interface Subject {
  readonly line: StatementLine
  readonly references: ReadonlySet<string>
  readonly tokens: ReadonlySet<string>
  readonly name: ReadonlySet<string>
}

export const subjectOf = (line: StatementLine): Subject => {
  const own = referenceOf(line.reference)
  const text = `${line.reference ?? ""} ${line.remittance_text}`
  return {
    line,
    references: new Set([...(own === undefined ? [] : [own]), ...referencesIn(text)]),
    tokens: joinedTokens(text, number_tokens_max),
    name: nameTokens(line.counterparty_name ?? "")
  }
}

/** The number as it appears among the tokens of a line; undefined when it is too short to identify the document. */
export const numberKey = ({ number }: Candidate): string | undefined => {
  const key = joined(number ?? "")
  return key.length < number_characters_min ? undefined : key
}

export const hasReference = ({ references }: Subject, { reference }: Candidate): boolean => {
  const plain = referenceOf(reference)
  return plain !== undefined && references.has(plain)
}

/** Lists every signal for or against the candidate. */
export const explain = (subject: Subject, candidate: Candidate, isDeclined: boolean): ReadonlyArray<ScorePart> => {
  const { line, tokens } = subject
  const number = numberKey(candidate)
  const isPartlyPaid = !BigDecimal.equals(candidate.open, candidate.total)
  const parts: Array<ScorePart> = []
  if (hasReference(subject, candidate)) parts.push({ signal: "reference", points: points.reference })
  if (number !== undefined && tokens.has(number)) parts.push({ signal: "number", points: points.number })
  if (sameAmount(line.amount, candidate.open)) parts.push({ signal: "amount", points: points.amount })
  else if (isPartlyPaid && sameAmount(line.amount, candidate.total)) {
    parts.push({ signal: "total", points: points.total })
  }
  if (line.counterparty_iban !== null && candidate.ibans.includes(line.counterparty_iban)) {
    parts.push({ signal: "iban", points: points.iban })
  }
  const alike = similarity(subject.name, nameTokens(candidate.counterparty_name ?? ""))
  if (alike >= name_close_min) parts.push({ signal: "name", points: points.name_close })
  else if (alike >= name_alike_min) parts.push({ signal: "name", points: points.name_alike })
  const dated = datePoints(line, candidate)
  if (dated > 0) parts.push({ signal: "date", points: dated })
  if (isDeclined) parts.push({ signal: "declined", points: points.declined })
  return parts
}

const datePoints = ({ booking_date }: StatementLine, { date, due_date }: Candidate): number => {
  if (daysBetween(booking_date, date) > days_before_issue_max) return 0
  if (booking_date <= addDaysAtMost(due_date, days_late_near_max)) return points.date_near
  return booking_date <= addDaysAtMost(due_date, days_late_max) ? points.date_late : 0
}

/** Tells whether two names are so close that they may mean the same party. */
export const isSameName = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  similarity(left, right) >= name_close_min
