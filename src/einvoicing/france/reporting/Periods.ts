import { addDays, Day } from "../../../kernel/Calendar.ts"
import type { VatRegime } from "../../invoice/ReportingTerms.ts"
import type { ReportKind } from "./ReportContent.ts"

interface Period {
  readonly start: Day
  readonly end: Day
  readonly due: Day
}

/** Number of days before the deadline at which reports are sent: late enough to include late bookings. */
const lead_days = 3

/** The day of the month on which reports of the normal regime are due, and the day for the other regimes. */
const normal_due_day = 10
const other_due_day = 30

/** The end of the period, and the day on which its report is due (CGI, annexe II, 242 nonies O and P). */
const periodOf = (regime: VatRegime, kind: ReportKind, day: Day): Omit<Period, "start"> => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  switch (regime) {
    case "normal_monthly":
      return kind !== "payments" ? decadeOf(day, year, month) : monthly(year, month, normal_due_day)
    case "normal_quarterly":
      return monthly(year, month, normal_due_day)
    case "simplified":
      return monthly(year, month, other_due_day)
    case "franchise":
      // A period of two months ends with an even month.
      return monthly(year, month + (month % 2), other_due_day)
  }
}

/** A month has three reports, for the days 1 to 10, 11 to 20, and 21 to its end. */
const decadeOf = (day: Day, year: number, month: number) => {
  if (day <= dayOf(year, month, 10)) return { end: dayOf(year, month, 10), due: dayOf(year, month, 20) }
  if (day <= dayOf(year, month, 20)) return { end: dayOf(year, month, 20), due: lastDay(year, month) }
  return monthly(year, month, normal_due_day)
}

const monthly = (year: number, month: number, due_day: number) => {
  const last_due = lastDay(year, month + 1)
  const due = Number(last_due.slice(-2)) < due_day ? last_due : dayOf(year, month + 1, due_day)
  return { end: lastDay(year, month), due }
}

/** Returns a day. A month after December, such as 13, belongs to the next year. */
const dayOf = (year: number, month: number, day: number): Day => {
  const parts = [year + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1, day]
  return Day.make(parts.map((part) => String(part).padStart(2, "0")).join("-"))
}

const lastDay = (year: number, month: number): Day => addDays(dayOf(year, month + 1, 1), -1)

/** A VAT regime, and the day from which the organization has it. */
interface DatedRegime {
  readonly since: Day
  readonly regime: VatRegime
}

/** The regimes in the order of their days. The first also holds for all days before it. */
export type Regimes = readonly [DatedRegime, ...ReadonlyArray<DatedRegime>]

/**
 * Returns the period that begins on a day. A change of the regime does not change a period that ended before; a period
 * that it finds running follows it, unless its report would already be overdue.
 */
const periodFrom = (start: Day, kind: ReportKind, [first, ...changes]: Regimes): Omit<Period, "start"> => {
  let period = periodOf(first.regime, kind, start)
  for (const { regime, since } of changes) {
    if (since > period.end) return period
    const changed = periodOf(regime, kind, start)
    if (since <= start || since <= changed.due) period = changed
  }
  return period
}

/** Periods whose reports are due, the oldest first. The first begins on `from`, even within a month. */
export const periodsToReport = (
  { from, kind, regimes }: { readonly regimes: Regimes; readonly kind: ReportKind; readonly from: Day },
  today: Day
): ReadonlyArray<Period> => {
  const periods: Array<Period> = []
  for (let day = from; ;) {
    const period = periodFrom(day, kind, regimes)
    if (addDays(period.due, -lead_days) > today) return periods
    periods.push({ start: day, ...period })
    day = addDays(period.end, 1)
  }
}
