import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import {
  addDays,
  Day,
  dayAt,
  daysBetween,
  isoTextOf,
  now,
  Timestamp,
  TimeZone,
  today,
  yearOf
} from "../../src/kernel/Calendar.ts"

const day = (text: string) => Schema.decodeSync(Day)(text)
const zone = (name: string) => Schema.decodeSync(TimeZone)(name)
const at = (instant: string, name: string) => dayAt(Date.parse(instant), zone(name))
const two = (number: number) => String(number).padStart(2, "0")
const refusal = (schema: Schema.Codec<string, Date | string>, input: unknown) =>
  Effect.runSync(Effect.flip(Schema.decodeUnknownEffect(schema)(input))).message

describe("Day", () => {
  it("accepts a timestamp at midnight as its date", () => {
    for (const text of ["2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00"]) {
      assert.strictEqual(day(text), "2026-03-01")
    }
  })

  it("knows leap years", () => {
    assert.strictEqual(day("2024-02-29"), "2024-02-29")
    assert.strictEqual(day("2000-02-29"), "2000-02-29")
  })

  it("accepts exactly the days that a Date has", () => {
    const numbers = [
      fc.integer({ min: 1890, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 })
    ]
    fc.assert(
      fc.property(fc.tuple(...numbers), ([year = 0, month = 0, date = 0]) => {
        const text = `${year}-${two(month)}-${two(date)}`
        const exists = year >= 1900 && new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(text)
        assert.strictEqual(Schema.is(Schema.toType(Day))(text), exists)
      })
    )
  })

  it("refuses days that do not exist, times of day, offsets and other spellings", () => {
    const wrong = ["2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00", "1899-12-31"]
    const other = [
      "2026-3-1",
      "01/03/2026",
      "2026-03-01T10:00:00Z",
      "2026-03-01T00:00:00+02:00",
      "20260301",
      "",
      " 2026-03-01"
    ]
    for (const input of [...wrong, ...other, 20_260_301, null]) {
      assert.strictEqual(refusal(Day, input), "must be a valid date (YYYY-MM-DD).")
    }
  })
})

describe("isoTextOf", () => {
  it("writes what toISOString writes", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        assert.strictEqual(isoTextOf(date.getTime()), date.toISOString())
      })
    )
  })
})

describe("addDays and daysBetween", () => {
  it("cross months, leap days and years", () => {
    assert.strictEqual(addDays(day("2024-02-28"), 2), "2024-03-01")
    assert.strictEqual(addDays(day("2026-01-01"), -1), "2025-12-31")
    assert.strictEqual(daysBetween(day("2026-03-01"), day("2026-03-31")), 30)
    assert.strictEqual(daysBetween(day("2026-03-31"), day("2026-03-01")), -30)
    assert.strictEqual(yearOf(day("2026-03-31")), 2026)
  })

  it("undo each other for any day and distance, and text order is date order", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.integer({ min: -400_000, max: 400_000 }),
        (start, distance) => {
          const first = addDays(day("3000-01-01"), start)
          const second = addDays(first, distance)
          assert.strictEqual(daysBetween(first, second), distance)
          assert.strictEqual(second > first, distance > 0)
        }
      )
    )
  })
})

describe("dayAt", () => {
  it("returns the local date on both sides of UTC", () => {
    assert.strictEqual(at("2025-12-31T10:00:00Z", "Pacific/Kiritimati"), "2026-01-01")
    assert.strictEqual(at("2026-01-01T07:59:59Z", "America/Los_Angeles"), "2025-12-31")
    assert.strictEqual(at("2025-12-31T23:00:00Z", "Europe/Paris"), "2026-01-01")
    assert.strictEqual(at("2025-12-31T23:00:00Z", "UTC"), "2025-12-31")
  })

  it("returns the nearest day to an instant whose local date is outside 1900 to 9999", () => {
    assert.strictEqual(at("9999-12-31T23:59:59.999Z", "Pacific/Kiritimati"), "9999-12-31")
    assert.strictEqual(at("1900-01-01T00:00:01Z", "America/New_York"), "1900-01-01")
  })

  it("follows summer time: midnight of a summer day is an hour earlier in UTC", () => {
    assert.strictEqual(at("2026-03-28T22:59:59Z", "Europe/Paris"), "2026-03-28")
    assert.strictEqual(at("2026-03-28T23:00:00Z", "Europe/Paris"), "2026-03-29")
    assert.strictEqual(at("2026-03-29T21:59:59Z", "Europe/Paris"), "2026-03-29")
    assert.strictEqual(at("2026-03-29T22:00:00Z", "Europe/Paris"), "2026-03-30")
    assert.strictEqual(at("2026-11-01T06:59:59Z", "America/Los_Angeles"), "2026-10-31")
    assert.strictEqual(at("2026-11-02T07:59:59Z", "America/Los_Angeles"), "2026-11-01")
  })

  it.effect("today and now read the clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-07-01T22:30:00.250Z"))
      assert.strictEqual(yield* today(zone("Europe/Brussels")), "2026-07-02")
      assert.strictEqual(yield* today(zone("America/New_York")), "2026-07-01")
      assert.strictEqual(yield* now, "2026-07-01T22:30:00.250Z")
    })
  )
})

describe("TimeZone", () => {
  it("accepts IANA names, also old ones, and refuses offsets, abbreviations and unknown names", () => {
    assert.strictEqual(zone("Asia/Kolkata"), "Asia/Kolkata")
    for (const name of ["Asia/Calcutta", "UTC", "GB", "EST5EDT"]) assert.strictEqual(zone(name), name)
    for (const input of ["+01:00", "Mars/Olympus", "", "Europe/Brussels ", "CET", "ist", 1]) {
      assert.strictEqual(refusal(TimeZone, input), "must be a time zone such as Europe/Brussels.")
    }
  })
})

describe("Timestamp", () => {
  const decode = Schema.decodeUnknownSync(Timestamp)

  it("reads a row's Date and any RFC 3339 text, and answers UTC with milliseconds", () => {
    assert.strictEqual(decode(new Date(Date.UTC(2026, 2, 1, 10))), "2026-03-01T10:00:00.000Z")
    assert.strictEqual(decode("2026-03-01T01:30:00.5+02:00"), "2026-02-28T23:30:00.500Z")
    assert.strictEqual(Schema.encodeSync(Timestamp)(decode("2026-03-01T10:00:00Z")), "2026-03-01T10:00:00.000Z")
  })

  it("refuses instants that do not exist or fall outside four-digit years, and texts without an offset", () => {
    const wrong = [
      "2026-02-30T00:00:00.000Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "9999-12-31T23:00:00-02:00"
    ]
    for (const input of [...wrong, "2026-01-01", "2026-01-01T00:00:00", "now", 0, new Date(Number.NaN)]) {
      assert.strictEqual(refusal(Timestamp, input), "must be a valid timestamp (RFC 3339).")
    }
  })
})
