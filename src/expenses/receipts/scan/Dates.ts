import { folded } from "./Keywords.ts"
import type { Row } from "./Rows.ts"

/** Order of day and month in the receipt's country; `unknown` allows both. */
export type DateOrder = "day_first" | "month_first" | "unknown"

export interface DateCandidate {
  readonly row: Row
  /** Index of the date's first word among the words of the row; `to` is the index of its last word. */
  readonly from: number
  readonly to: number
  /** The day as YYYY-MM-DD. */
  readonly day: string
  /** True when another order of the numbers is also a date, and nothing decides between them. */
  readonly isAmbiguous: boolean
  readonly form: "iso" | "four_digit_year" | "month_name" | "two_digit_year" | "year_first" | "compact"
  readonly confidence: number
}

const characters_max = 400
const year_min = 2000
const two_digit_year_max = 79

const months: ReadonlyArray<ReadonlyArray<string>> = [
  ["jan", "january", "janvier", "januari", "januar", "janner", "enero", "ene", "gennaio", "gen", "janv"],
  ["feb", "february", "fevrier", "fev", "fevr", "februari", "februar", "febrero", "febbraio", "febr"],
  ["mar", "march", "mars", "maart", "mrt", "marz", "maerz", "mrz", "marzo"],
  ["apr", "april", "avril", "avr", "abril", "abr", "aprile"],
  ["may", "mai", "mei", "mayo", "maggio", "mag"],
  ["jun", "june", "juin", "juni", "junio", "giugno", "giu"],
  ["jul", "july", "juillet", "juil", "juli", "julio", "luglio", "lug"],
  ["aug", "august", "aout", "augustus", "agosto", "ago"],
  ["sep", "sept", "september", "septembre", "septiembre", "settembre", "set"],
  ["oct", "october", "octobre", "oktober", "okt", "octubre", "ottobre", "ott"],
  ["nov", "november", "novembre", "noviembre"],
  ["dec", "december", "decembre", "dez", "dezember", "diciembre", "dic", "dicembre"]
]
const monthNumbers = new Map(months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)))

/** Finds the dates of a row, with all interpretations of ambiguous ones. "O" and "l" among digits count as digits. */
export const datesIn = (row: Row, order: DateOrder): ReadonlyArray<DateCandidate> => {
  const text = repaired(row.text.slice(0, characters_max))
  const found = patterns.flatMap(({ form, pattern, read }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const days = [...new Set(read(match, order).filter((day) => day !== undefined))]
      return days.map((day) => ({
        form,
        day,
        start: match.index,
        end: match.index + match[0].length,
        isAmbiguous: days.length > 1
      }))
    })
  )
  const kept = found.filter(
    (one) =>
      !found.some(
        (other) => found.indexOf(other) < found.indexOf(one) && other.form !== one.form && overlaps(one, other)
      )
  )
  const places = placesOf(row)
  return kept.map(({ day, end, form, isAmbiguous, start }) => {
    const [from, to] = [wordAt(places, start), wordAt(places, end - 1)]
    const words = row.words.slice(from, to + 1)
    return { row, from, to, day, form, isAmbiguous, confidence: Math.min(1, ...words.map((word) => word.confidence)) }
  })
}

/** True if the text contains a time such as "12:30", "12h30" or "9.41 Uhr". */
export const hasTime = (text: string): boolean =>
  /(?<!\d)[0-2]?\d\s?[:h]\s?[0-5]\d(?!\d)/i.test(text) || /(?<!\d)[0-2]?\d[.][0-5]\d\s?(?:uhr|u)\b/i.test(text)

type Read = (match: RegExpExecArray, order: DateOrder) => ReadonlyArray<string | undefined>

/**
 * The most reliable patterns come first: of several matches in the same place, the first one counts. Every quantifier
 * is bounded. PaddleOCR misses narrow spaces, so a time may directly follow a date. Other digits may not, because the
 * match is then part of a longer number.
 */
const patterns: ReadonlyArray<{ readonly form: DateCandidate["form"]; readonly pattern: RegExp; readonly read: Read }> =
  [
    {
      form: "iso",
      pattern: /(?<![\d.,])(20\d\d)\s?([-./])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d(?!\d?:\d))/g,
      read: ([, year, , month, day]) => [dayOf(year, month, day)]
    },
    {
      form: "four_digit_year",
      pattern: /(?<!\d)(\d{1,2})\s?([-./'])\s?(\d{1,2})\s?\2\s?(20\d\d)(?!\d(?!\d?:\d|\d\d?\d?\s?[ap]m)|:\d\d)/g,
      read: ([, a, , b, year], order) => ordered(a, b, year, order)
    },
    {
      form: "month_name",
      pattern:
        /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|°|º|\.)?[\s./-]{0,2}(?:de |d')?([a-z]{3,10})\.?[\s./,'’*-]{0,3}(?:de |del )?(20\d\d|\d\d)(?!\d(?!\d?:\d))/g,
      read: ([, day, name, year]) => [dayOf(year, monthNumber(name), day)]
    },
    {
      form: "month_name",
      pattern:
        /(?<![a-z])([a-z]{3,10})\.?[\s./-]{0,2}(\d{1,2})(?:st|nd|rd|th)?(?:[\s.,'’′/-]{0,3}(20\d\d)|\s?['’′](\d\d))(?!\d(?!\d?:\d))/g,
      read: ([, name, day, year, shortYear]) => [dayOf(year ?? shortYear, monthNumber(name), day)]
    },
    {
      form: "two_digit_year",
      pattern: /(?<![\d.,])(\d{1,2})\s?([-./'])\s?(\d{1,2})\s?\2\s?(\d\d)(?!\d(?!\d?:\d)|%|[.,]\d(?!\d?:\d))/g,
      read: ([, a, , b, year], order) => ordered(a, b, year, order)
    },
    {
      form: "year_first",
      pattern: /(?<![\d.,])(\d\d)([-/])(\d\d)\2(\d\d)(?![\d%]|[.,]\d)/g,
      read: ([, year, , month, day]) => [dayOf(year, month, day)]
    },
    {
      form: "compact",
      pattern: /(?<![\d.,-])(20[0-4]\d)([01]\d)([0-3]\d)(?!\d)/g,
      read: ([, year, month, day]) => [dayOf(year, month, day)]
    },
    {
      form: "compact",
      pattern: /(?<!\S)([0-3]\d)([01]\d)(20[0-4]\d)(?=\s\d?\d:\d\d)/g,
      read: ([, day, month, year]) => [dayOf(year, month, day)]
    },
    {
      form: "two_digit_year",
      pattern: /(?<=(?<!\d)[0-2]\d:[0-5]\d(?::[0-5]\d)?)(\d\d)([-./])(\d\d)\2(20\d\d|\d\d)(?!\d|[.,]\d)/g,
      read: ([, a, , b, year], order) => ordered(a, b, year, order)
    },
    {
      form: "two_digit_year",
      pattern: /(?<=\d)([0-3]\d)([-/])([0-3]\d)\2(20\d\d|\d\d)(?!\d(?!\d?:\d)|%|[.,]\d)(?=\s?\d?\d:\d\d)/g,
      read: ([, a, , b, year], order) => ordered(a, b, year, order)
    },
    {
      form: "compact",
      pattern: /(?<=\d)([0-3]\d)\.([01]\d)\.(20\d\d)(?=\s?\d\d:\d\d)/g,
      read: ([, day, month, year]) => [dayOf(year, month, day)]
    },
    // An apostrophe is easily missed, or read as 1, as in "JUL19'14 2:36PM" and "Nov.21'14(Fri)".
    {
      form: "compact",
      pattern: /(?<![a-z])([a-z]{3})\.?\s?(\d\d)\s?1??(\d\d)(?=\s?\d?\d:\d\d\s?[a-z]{2}|\s?\([a-z]{2}.\))/g,
      read: ([, name, day, year]) => [dayOf(year, monthNumber(name), day)]
    },
    // One separator may be misread as another. If a time follows, the second separator may be missing.
    {
      form: "compact",
      pattern: /(?<![\d.,])(\d\d)\s?[-./,*']\s?(\d\d)\s?[-./,*']\s?(20\d\d)(?!\d(?!\d?:\d))/g,
      read: ([, a, b, year], order) => ordered(a, b, year, order)
    },
    {
      form: "compact",
      pattern: /(?<![\d.,])(\d\d)(?:[-/](\d\d)[17]|[17](\d\d)[-/])(20\d\d)(?!\d(?!\d?:\d))/g,
      read: ([, a, b, c, year], order) => ordered(a, b ?? c, year, order)
    },
    {
      form: "compact",
      pattern: /(?<![\d.,])(20\d\d)[-./,](\d\d)[-./,](\d\d)(?=\s?\d\d:\d\d)/g,
      read: ([, year, month, day]) => [dayOf(year, month, day)]
    },
    {
      form: "compact",
      pattern: /(?<![\d.,])(\d\d)[-./,*'](\d\d)[-./,*']?(\d\d)(?=\s?\d\d:\d\d)/g,
      read: ([, a, b, year], order) => ordered(a, b, year, order)
    }
  ]

const ordered = (a: string | undefined, b: string | undefined, year: string | undefined, order: DateOrder) => {
  const [dayFirst, monthFirst] = [dayOf(year, b, a), dayOf(year, a, b)]
  if (order === "day_first") return [dayFirst ?? monthFirst]
  if (order === "month_first") return [monthFirst ?? dayFirst]
  return [dayFirst, monthFirst]
}

const monthNumber = (name: string | undefined) => {
  const number = monthNumbers.get(name ?? "")
  return number === undefined ? undefined : String(number)
}

/** Undefined for a day that does not exist. */
const dayOf = (year: string | undefined, month: string | undefined, day: string | undefined): string | undefined => {
  if (year === undefined || month === undefined || day === undefined) return undefined
  const [y, m, d] = [year.length === 2 ? 2000 + Number(year) : Number(year), Number(month), Number(day)]
  if (y < year_min || y > year_min + two_digit_year_max || m < 1 || m > 12 || d < 1 || d > daysIn(y, m))
    return undefined
  return `${y}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`
}

const daysIn = (year: number, month: number) => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Keeps the length of the text, so that a match can be traced back to its words. */
const repaired = (text: string) =>
  Array.from(text)
    .map((letter) => {
      const plain = folded(letter)
      return plain.length === 1 ? plain : letter
    })
    .join("")
    .replace(/(?<=[\d./-])o(?!ct)|o(?=[\d./-]\d)/g, "0")
    .replace(/0(?=ct)/g, "o")
    .replace(/0(?=ec)/g, "d")
    .replace(/(?<=[\d./-])[l|](?=[\d./\s-]|$)|(?<![a-z])[l|](?=\d[./-])/g, "1")
    .replace(/(?<=ju)1/g, "l")
    .replace(/(?<=[-./]\s?2)[8b](?=[0-2]\d(?!\d))/g, "0")

const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }) =>
  a.start < b.end && b.start < a.end

const placesOf = (row: Row): ReadonlyArray<number> => {
  let place = 0
  return row.words.map((word) => {
    const start = place
    place += word.text.length + 1
    return start
  })
}

const wordAt = (places: ReadonlyArray<number>, place: number) =>
  Math.max(
    0,
    places.findLastIndex((start) => start <= place)
  )
