import { Effect, Schema, SchemaGetter } from "effect"
import { addDays, type Day } from "../../kernel/Calendar.ts"
import { type Period, startOf, type Unit } from "../periods/Period.ts"

const names = [
  "this_month",
  "last_month",
  "this_quarter",
  "last_quarter",
  "this_year",
  "last_year",
  "last_30_days",
  "last_90_days",
  "last_12_months"
] as const

export const DashboardPeriod = Schema.Literals(names).annotate({
  identifier: "DashboardPeriod",
  description: "A period, counted from today in the time zone of the organization."
})
export type DashboardPeriod = typeof DashboardPeriod.Type

const initial: DashboardPeriod = "this_month"

const aliases = { month: "this_month", quarter: "this_quarter", year: "this_year" } as const
const Alias = Schema.Literals(["month", "quarter", "year"])
const isAlias = Schema.is(Alias)

export const DashboardPeriodInput = Schema.Literals([...names, ...Alias.literals])
  .annotate({ message: `must be one of: ${names.join(", ")}.` })
  .pipe(
    Schema.decodeTo(DashboardPeriod, {
      decode: SchemaGetter.transform((name) => (isAlias(name) ? aliases[name] : name)),
      encode: SchemaGetter.transform((name) => name)
    }),
    Schema.withDecodingDefaultKey(Effect.succeed(initial))
  )
  .annotate({
    identifier: "DashboardPeriodInput",
    description: "Name of a period; `month`, `quarter` and `year` mean the current ones."
  })

export interface Compared {
  readonly current: Period
  /** The preceding period of the same length. */
  readonly previous: Period
}

/** Months, quarters and years include their days after today; a period of a number of days ends today. */
export const periodsOf = (name: DashboardPeriod, today: Day): Compared => {
  switch (name) {
    case "this_month":
      return units("month", today, 0)
    case "last_month":
      return units("month", today, -1)
    case "this_quarter":
      return units("quarter", today, 0)
    case "last_quarter":
      return units("quarter", today, -1)
    case "this_year":
      return units("year", today, 0)
    case "last_year":
      return units("year", today, -1)
    case "last_30_days":
      return days(30, today)
    case "last_90_days":
      return days(90, today)
    case "last_12_months":
      return units("month", today, -11, 12)
  }
}

const units = (unit: Unit, today: Day, first: number, count = 1): Compared => ({
  current: between(unit, today, first, first + count),
  previous: between(unit, today, first - count, first)
})

const between = (unit: Unit, today: Day, first: number, end: number): Period => ({
  start_date: startOf(unit, today, first),
  end_date: addDays(startOf(unit, today, end), -1)
})

const days = (count: number, today: Day): Compared => {
  const start_date = addDays(today, 1 - count)
  return {
    current: { start_date, end_date: today },
    previous: { start_date: addDays(start_date, -count), end_date: addDays(start_date, -1) }
  }
}
