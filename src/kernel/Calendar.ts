import { Clock, DateTime, type Duration, Effect, Option, Schema, SchemaGetter } from "effect"
import { guard_annotation } from "./Compiled.ts"

const day_message = "must be a valid date (YYYY-MM-DD)."
const timestamp_message = "must be a valid timestamp (RFC 3339)."
const year_min = 1900
const year_max = 9999
const day_milliseconds = 86_400_000
const quarter_milliseconds = 900_000
const formatters_max = 1_000

const CalendarDay = Schema.String.check(
  Schema.makeFilter((text) => isCalendarDay(text), { message: day_message, expected: "a calendar day" })
).pipe(Schema.brand("Day"))

/** A day from 1900 to 9999, which sorts as text. Input may be a timestamp at midnight ("2026-03-01T00:00:00Z"). */
export const Day = Schema.String.annotate({ message: day_message, format: "date" }).pipe(
  Schema.decodeTo(CalendarDay, {
    decode: SchemaGetter.transform((text) => text.replace(midnight, "")),
    encode: SchemaGetter.passthrough()
  })
)
export type Day = typeof Day.Type

export const isDay = Schema.is(Day)

export const TimeZone = Schema.String.annotate({ message: "must be a time zone such as Europe/Brussels." })
  .check(
    Schema.makeFilter((name) => iana_name.test(name) && Option.isSome(DateTime.zoneMakeNamed(name)), {
      message: "must be a time zone such as Europe/Brussels.",
      expected: "an IANA time zone"
    })
  )
  .pipe(Schema.brand("TimeZone"))
export type TimeZone = typeof TimeZone.Type

/** Accepts the `Date` that the PostgreSQL driver reads from `timestamptz`, and text from the wire. */
const DateOrText = Schema.declare(isInstant, {
  [guard_annotation]: isInstant,
  message: timestamp_message,
  toCodecJson: () =>
    Schema.link<Date | string>()(Schema.String.annotate({ format: "date-time" }), {
      decode: SchemaGetter.passthroughSubtype<Date | string, string>(),
      encode: SchemaGetter.transform(toIsoText)
    })
})

/**
 * RFC 3339 text in UTC with milliseconds, which sorts as text. Decodes the `Date` of a row and any RFC 3339 text.
 */
export const Timestamp = DateOrText.pipe(
  Schema.decodeTo(Schema.String.pipe(Schema.brand("Timestamp")), {
    decode: SchemaGetter.transform(toIsoText),
    encode: SchemaGetter.transform((text) => text)
  })
)
export type Timestamp = typeof Timestamp.Type

/** A timestamp in a request: RFC 3339, or a calendar day, which means the first moment of the day in UTC. */
export const Moment = Schema.String.pipe(
  Schema.decodeTo(Timestamp, {
    decode: SchemaGetter.transform((text) => (isCalendarDay(text) ? `${text}T00:00:00.000Z` : text)),
    encode: SchemaGetter.transform(String)
  })
)

/** A timestamp in a request: RFC 3339, or a calendar day, whose time depends on the organization (`timeOf`). */
export const MomentOrDay = Schema.Union([CalendarDay, Timestamp]).annotate({ message: timestamp_message })
export type MomentOrDay = typeof MomentOrDay.Type

/** The given time, or the first moment of the given day in a time zone. */
export const timeOf = (moment: MomentOrDay, timeZone: TimeZone): Timestamp =>
  isCalendarDay(moment)
    ? timestampOf(DateTime.makeZonedUnsafe(moment, { timeZone, adjustForTimeZone: true }))
    : Timestamp.make(moment)

export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, (epochMillis) =>
  Timestamp.make(isoTextOf(epochMillis))
)

/** Reads a time in any form of ISO 8601, too. Dies if the time cannot be read. */
export const timestampOf = (time: DateTime.DateTime.Input): Timestamp =>
  Timestamp.make(DateTime.formatIso(DateTime.makeUnsafe(time)))

export const timestampAfter = (pause: Duration.Input): Effect.Effect<Timestamp> =>
  Effect.map(DateTime.now, (instant) => timestampOf(DateTime.addDuration(instant, pause)))

export const today = (zone: TimeZone): Effect.Effect<Day> =>
  Effect.map(Clock.currentTimeMillis, (epochMillis) => dayAt(epochMillis, zone))

/** Returns the day of an instant in a time zone. A day outside 1900 to 9999 becomes the nearest day inside. */
export const dayAt = (epochMillis: number, zone: TimeZone): Day => {
  const { formatter, latest } = formatterOf(zone)
  // Offsets of time zones are multiples of 15 minutes, so all instants of a quarter of an hour have the same day.
  const quarter = Math.floor(epochMillis / quarter_milliseconds)
  if (quarter === latest.quarter) return latest.day
  // The formatter writes the date as is usual in the United States: "03/01/2026".
  const [month, day, year] = formatter.format(epochMillis).split("/")
  latest.quarter = quarter
  const text = `${year}-${month}-${day}`
  latest.day = isCalendarDay(text) ? CalendarDay.make(text) : epochMillis < 0 ? first_day : last_day
  return latest.day
}

/** Dies if the year of the result is outside 1900 to 9999. */
export const addDays = (day: Day, days: number): Day =>
  CalendarDay.make(isoTextOf((epochDayOf(day) + days) * day_milliseconds).slice(0, 10))

export const addDaysAtMost = (day: Day, days: number): Day => addDays(day, Math.min(days, daysBetween(day, last_day)))

export const daysBetween = (start: Day, end: Day): number => epochDayOf(end) - epochDayOf(start)

export const yearOf = (day: Day): number => Number(day.slice(0, 4))

function isInstant(input: unknown): input is Date | string {
  if (input instanceof Date) return !Number.isNaN(input.getTime())
  if (typeof input !== "string" || !rfc3339.test(input) || !isCalendarDay(input.slice(0, 10))) return false
  // A time zone offset in the text may move the instant beyond the year 9999.
  return input.endsWith("Z") || isCalendarDay(toIsoText(input).slice(0, 10))
}

function toIsoText(instant: Date | string): string {
  if (typeof instant !== "string") return isoTextOf(instant.getTime())
  return utc_milliseconds.test(instant) ? instant : DateTime.formatIso(DateTime.makeUnsafe(instant))
}

/**
 * Formats an instant in a tenth of the time that `toISOString` takes. Decoding a list would spend two fifths of its
 * time in `toISOString`. The texts of days are cached, because many records share few days.
 */
export const isoTextOf = (epochMillis: number): string => {
  const epochDay = Math.floor(epochMillis / day_milliseconds)
  const inDay = epochMillis - epochDay * day_milliseconds
  const second = Math.floor(inDay / 1_000)
  const minute = Math.floor(second / 60)
  const day = dayTexts.get(epochDay) ?? keepDayText(epochDay)
  return `${day}${minutes[minute]}${seconds[second % 60]}${milliseconds[inDay % 1_000]}`
}

const keepDayText = (epochDay: number): string => {
  const [text = ""] = DateTime.formatIso(DateTime.makeUnsafe(epochDay * day_milliseconds)).split("T", 1)
  if (dayTexts.size === day_texts_max) dayTexts.clear()
  dayTexts.set(epochDay, `${text}T`)
  return `${text}T`
}

const day_texts_max = 10_000
const dayTexts = new Map<number, string>()
const twoDigits = (number: number) => (number < 10 ? `0${number}` : String(number))
const minutes = Array.from(
  { length: 1_440 },
  (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:`
)
const seconds = Array.from({ length: 60 }, (_, second) => `${twoDigits(second)}.`)
const milliseconds = Array.from({ length: 1_000 }, (_, millisecond) => `${String(millisecond).padStart(3, "0")}Z`)

const utc_milliseconds = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const rfc3339 = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const midnight = /T00:00:00(?:\.000Z|Z)?$/
/**
 * The length is limited, because looking up a time zone takes time that grows with the length of its name. Names with
 * three letters are refused, except GMT and UTC, because PostgreSQL reads an abbreviation as another zone.
 */
const iana_name = /^(?:GMT|UTC|[A-Z]{2}|[A-Z].{3,63})$/i
const dash = 45

/** Reads character codes: each date of each row is checked, and a regular expression takes five times as long. */
const isCalendarDay = (text: string): boolean => {
  if (text.length !== 10 || text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return false
  // A character that is not a digit makes its number NaN, and every comparison false.
  const year = pairAt(text, 0) * 100 + pairAt(text, 2)
  const month = pairAt(text, 5)
  const day = pairAt(text, 8)
  return year >= year_min && year <= year_max && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

const pairAt = (text: string, index: number): number => digitAt(text, index) * 10 + digitAt(text, index + 1)

const digitAt = (text: string, index: number): number => {
  const digit = text.charCodeAt(index) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

// This constant is below the functions that check it, because `make` runs the check when the module is loaded.
export const first_day = CalendarDay.make("1900-01-01")
export const last_day = CalendarDay.make("9999-12-31")

const epochDayOf = (day: Day): number =>
  Date.UTC(yearOf(day), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))) / day_milliseconds

// The formatter of a time zone is cached, because making one costs a hundred times as much as using it.
interface ZoneDays {
  readonly formatter: Intl.DateTimeFormat
  readonly latest: { quarter: number; day: Day }
}
const formatters = new Map<TimeZone, ZoneDays>()
const formatterOf = (zone: TimeZone): ZoneDays => {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const options = { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" } as const
  const latest = { quarter: Number.NaN, day: CalendarDay.make("1970-01-01") }
  const made = { formatter: new Intl.DateTimeFormat("en-US", options), latest }
  if (formatters.size >= formatters_max) formatters.clear()
  formatters.set(zone, made)
  return made
}
