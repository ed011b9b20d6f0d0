import { Schema } from "effect"
import { Day, daysBetween } from "../../../kernel/Calendar.ts"
import { type DateCandidate, hasTime } from "../scan/Dates.ts"
import type { Concept } from "../scan/Keywords.ts"
import { mean } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import type { Features } from "./Ranking.ts"
import type { DateFeature } from "./Weights.ts"

export interface IssueDateCandidate {
  readonly day: string
  readonly dates: ReadonlyArray<DateCandidate>
  readonly isAmbiguous: boolean
  readonly features: Features<DateFeature>
}

/** Usual maximum age of a receipt in days. A receipt may be older, but most are uploaded within months. */
const usual_age_days_max = 365
/** Maximum number of days by which a date may be in the future: beyond the date line, it is already tomorrow. */
const future_days_max = 1

const toDay = Schema.decodeUnknownSync(Day)

/** Age in days; negative when the day is in the future. */
const ageOf = (day: string, today: string): number => daysBetween(toDay(day), toDay(today))

/** True unless the day is too far in the future. A receipt may be of any age, because books are kept for many years. */
export const isPlausible = (day: string, today: string): boolean => ageOf(day, today) >= -future_days_max

export const issueDateCandidates = (scan: Scan, today: string, pass?: number): ReadonlyArray<IssueDateCandidate> => {
  const seen = scan.dates.filter(({ row }) => pass === undefined || row.pass === pass)
  const priced = new Set(scan.amounts.map(({ row }) => row))
  return [...Map.groupBy(seen, ({ day }) => day)].map(([day, dates]) => {
    const rows = [...new Set(dates.map(({ row }) => row))]
    const passes = new Set(rows.map((row) => row.pass))
    const age = ageOf(day, today)
    const says = (concept: Concept) =>
      Number(dates.some((date) => date.row.labels.some((label) => label.concept === concept && label.to < date.from)))
    const form = (name: DateCandidate["form"]) => Number(dates.some((date) => date.form === name))
    const positions = rows.map((row) => row.position)
    const features: Record<DateFeature, number> = {
      bias: 1,
      date: Math.max(says("date"), says("issue_date")),
      issue_date: says("issue_date"),
      not_date: shareOf(dates, (date) => isLabelled(date, "not_date")),
      priced: shareOf(dates, ({ row }) => priced.has(row)),
      above_not_date: Number(dates.some((date) => labelAbove(scan, date))),
      time: Number(rows.some((row) => hasTime(row.text))),
      several: Number(
        dates.every(
          ({ row }) =>
            new Set(seen.filter((other) => other.row === row && !other.isAmbiguous).map((other) => other.day)).size > 1
        )
      ),
      second: Number(dates.every(({ from, row }) => seen.some((other) => other.row === row && other.to < from))),
      identifier: says("identifier"),
      customer: says("customer"),
      iso: form("iso"),
      four_digit_year: form("four_digit_year"),
      month_name: form("month_name"),
      two_digit_year: form("two_digit_year"),
      year_first: form("year_first"),
      compact: form("compact"),
      repeated: Number(rows.length > passes.size),
      both_passes: Number(scan.passes > 1 && passes.size > 1),
      top: Number(Math.min(...positions) < 0.3),
      bottom: Number(Math.max(...positions) > 0.7),
      ambiguous: Number(dates.every(({ isAmbiguous }) => isAmbiguous)),
      future: Number(age < -future_days_max),
      recent: Number(age >= -future_days_max && age <= usual_age_days_max),
      old: Number(age > usual_age_days_max),
      latest: Number(!seen.some((other) => other.day > day && isPlausible(other.day, today))),
      confidence: mean(dates.map((date) => date.confidence))
    }
    return { day, dates, isAmbiguous: dates.every((date) => date.isAmbiguous), features }
  })
}

const isLabelled = ({ from, row }: DateCandidate, concept: Concept) =>
  row.labels.some((label) => label.concept === concept && label.to < from)

const shareOf = (dates: ReadonlyArray<DateCandidate>, holds: (date: DateCandidate) => boolean) =>
  dates.filter(holds).length / dates.length

/** True if a label such as "Due date" is in the column head above the date, or at the end of the previous row. */
const labelAbove = (scan: Scan, date: DateCandidate): boolean => {
  const above = scan.rows[scan.rows.indexOf(date.row) - 1]
  const word = date.row.words[date.from]
  if (above === undefined || word === undefined || above.page !== date.row.page || above.pass !== date.row.pass)
    return false
  return above.labels.some(({ concept, from, to }) => {
    const [start, end] = [above.words[from], above.words[to]]
    if (concept !== "not_date" || start === undefined || end === undefined) return false
    const isWrapped = date.from === 0 && to === above.words.length - 1
    return isWrapped || (start.x0 <= word.x1 && word.x0 <= end.x1)
  })
}
