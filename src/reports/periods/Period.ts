import { Effect, Schema } from "effect"
import { addDays, Day, daysBetween, yearOf } from "../../kernel/Calendar.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"
import type { ActiveOrganization } from "../../platform/http/Security.ts"

/** Maximum number of rows in one report. A longer period must be requested in parts or with larger units of time. */
export const rows_max = 10_000
/** Number of rows to read: one more than the maximum, to detect that there are too many. */
export const rows_seen_max = rows_max + 1

export const period = {
  start_date: described(Day, "First day of the period."),
  end_date: described(Day, "Last day of the period.")
}

/** The organization of a report, whose currency the report uses. */
export type Books = Pick<ActiveOrganization, "id" | "currency">

export interface Period {
  readonly start_date: Day
  readonly end_date: Day
}

export const Unit = Schema.Literals(["day", "week", "month", "quarter", "year"])
export type Unit = typeof Unit.Type

export const refusedEnd = (predicate: string) => ValidationFailed.field("end_date", predicate)

export const requireOrder = ({ end_date, start_date }: Partial<Period>) =>
  start_date !== undefined && end_date !== undefined && end_date < start_date
    ? Effect.fail(refusedEnd("must not be before the start date."))
    : Effect.void

/** Requires that the period does not end before its start, and that the report does not exceed its limit of rows. */
export const requireRows = Effect.fnUntraced(function* (unit: Unit, asked: Period) {
  yield* requireOrder(asked)
  if (unitsIn(unit, asked) > rows_max) {
    return yield* refusedEnd(`must end a period of at most ${rows_max} ${unit}s.`)
  }
})

const months_of = { month: 1, quarter: 3, year: 12 }
const days_of = { day: 1, week: 7 }

/** Origin for counting weeks. Any Monday would do, because weeks begin on Monday (ISO 8601). */
const a_monday = Day.make("1900-01-01")

const monthOf = (day: Day): number => yearOf(day) * 12 + Number(day.slice(5, 7)) - 1

/** The first day of a month; the month is a number counted from the beginning of year 0. */
const firstOf = (month: number): Day =>
  Day.make(`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`)

/** Returns the number of the unit that contains the day, counted from a fixed first unit. */
const indexOf = (unit: Unit, day: Day): number =>
  unit === "day" || unit === "week"
    ? Math.floor(daysBetween(a_monday, day) / days_of[unit])
    : Math.floor(monthOf(day) / months_of[unit])

const startAt = (unit: Unit, index: number): Day =>
  unit === "day" || unit === "week" ? addDays(a_monday, index * days_of[unit]) : firstOf(index * months_of[unit])

/** Returns the first day of the unit that is `after` units later than the unit that contains the day. */
export const startOf = (unit: Unit, day: Day, after = 0): Day => startAt(unit, indexOf(unit, day) + after)

const unitsIn = (unit: Unit, { end_date, start_date }: Period): number =>
  indexOf(unit, end_date) - indexOf(unit, start_date) + 1

/** The first days of all units that overlap the period. */
export const unitsOf = (unit: Unit, period: Period): ReadonlyArray<Day> => {
  const first = indexOf(unit, period.start_date)
  return Array.from({ length: unitsIn(unit, period) }, (_, index) => startAt(unit, first + index))
}

/** Names the unit that begins on this day: "2026-03-01", "2026-W09", "2026-03", "2026-Q1" or "2026". */
export const nameOf = (unit: Unit, start: Day): string => {
  switch (unit) {
    case "day":
      return start
    case "week":
      return weekName(start)
    case "month":
      return start.slice(0, 7)
    case "quarter":
      return `${start.slice(0, 4)}-Q${(indexOf(unit, start) % 4) + 1}`
    case "year":
      return start.slice(0, 4)
  }
}

/** A week belongs to the year of its Thursday (ISO 8601). */
const weekName = (monday: Day): string => {
  const thursday = addDays(monday, 3)
  const week = Math.floor(daysBetween(startOf("year", thursday), thursday) / 7) + 1
  return `${yearOf(thursday)}-W${String(week).padStart(2, "0")}`
}
