import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, Day, daysBetween } from "../../src/kernel/Calendar.ts"
import { periodsOf } from "../../src/reports/dashboard/DashboardPeriod.ts"
import { nameOf, startOf, Unit, unitsOf } from "../../src/reports/periods/Period.ts"

const aDay = (from: string, days: number) =>
  fc.integer({ min: 0, max: days }).map((after) => addDays(Day.make(from), after))
const anyUnit = fc.constantFrom(...Unit.literals)

/** The format of ISO weeks in PostgreSQL's to_char: 'IYYY-"W"IW'. */
const isoWeek = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const week = Math.ceil(((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7)
  return `${date.getUTCFullYear()}-W${String(week).padStart(2, "0")}`
}

describe("a unit of time", () => {
  it("starts on or before each of its days, and the next one starts after them", () => {
    fc.assert(
      fc.property(aDay("1900-01-08", 2_950_000), anyUnit, (day, unit) => {
        const start = startOf(unit, day)
        expect(start <= day && day < startOf(unit, day, 1)).toBe(true)
        expect(startOf(unit, start)).toBe(start)
      })
    )
  })

  it("has a unique name, which for weeks is the ISO 8601 name", () => {
    fc.assert(
      fc.property(aDay("1901-01-01", 2_950_000), (day) => {
        expect(nameOf("week", startOf("week", day))).toBe(isoWeek(day))
        expect(nameOf("day", startOf("day", day))).toBe(day)
        expect(nameOf("month", startOf("month", day))).toBe(day.slice(0, 7))
        expect(nameOf("year", startOf("year", day))).toBe(day.slice(0, 4))
        const quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
        expect(nameOf("quarter", startOf("quarter", day))).toBe(`${day.slice(0, 4)}-Q${quarter}`)
      })
    )
  })

  it("occurs once and in order among the units of a period", () => {
    fc.assert(
      fc.property(aDay("1990-01-01", 9_000), fc.nat(800), anyUnit, (start_date, length, unit) => {
        const end_date = addDays(start_date, length)
        const units = unitsOf(unit, { start_date, end_date })
        const days = Array.from({ length: length + 1 }, (_, index) => startOf(unit, addDays(start_date, index)))
        expect(units).toEqual([...new Set(days)])
      })
    )
  })

  it("exists up to the last day of the calendar", () => {
    fc.assert(
      fc.property(aDay("9990-01-01", 3_651), anyUnit, (start_date, unit) => {
        const end_date = Day.make("9999-12-31")
        expect(unitsOf(unit, { start_date, end_date }).at(-1)).toBe(startOf(unit, end_date))
      })
    )
  })
})

describe("the period of a dashboard", () => {
  const on = Day.make("2026-03-15")

  it.each([
    ["this_month", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
    ["last_month", "2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"],
    ["this_quarter", "2026-01-01", "2026-03-31", "2025-10-01", "2025-12-31"],
    ["last_quarter", "2025-10-01", "2025-12-31", "2025-07-01", "2025-09-30"],
    ["this_year", "2026-01-01", "2026-12-31", "2025-01-01", "2025-12-31"],
    ["last_year", "2025-01-01", "2025-12-31", "2024-01-01", "2024-12-31"],
    ["last_30_days", "2026-02-14", "2026-03-15", "2026-01-15", "2026-02-13"],
    ["last_90_days", "2025-12-16", "2026-03-15", "2025-09-17", "2025-12-15"],
    ["last_12_months", "2025-04-01", "2026-03-31", "2024-04-01", "2025-03-31"]
  ] as const)("%s is from %s to %s, compared with %s to %s", (name, start, end, before, until) => {
    expect(periodsOf(name, on)).toEqual({
      current: { start_date: start, end_date: end },
      previous: { start_date: before, end_date: until }
    })
  })

  it("directly follows the period that it is compared with, on every day", () => {
    const names = ["this_month", "last_quarter", "this_year", "last_30_days", "last_90_days", "last_12_months"] as const
    fc.assert(
      fc.property(aDay("1990-01-01", 30_000), fc.constantFrom(...names), (today, name) => {
        const { current, previous } = periodsOf(name, today)
        expect(daysBetween(previous.end_date, current.start_date)).toBe(1)
        expect(previous.start_date <= previous.end_date).toBe(true)
      })
    )
  })
})
