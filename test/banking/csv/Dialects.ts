import { BigDecimal } from "effect"
import * as fc from "fast-check"

/** A bank movement with the values that are the same in every dialect of CSV. */
interface Movement {
  readonly day: string
  readonly cents: number
  readonly name: string
  readonly iban: string
  readonly text: string
  readonly booked: boolean
}

const ibans = ["BE71096123456769", "DE89370400440532013000", "NL91ABNA0417164300", "FR1420041010050500013M02606", ""]
const day = fc
  .integer({ min: 0, max: 700 })
  .map((offset) => new Date(Date.UTC(2025, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10))

const movement = fc.record({
  day,
  cents: fc
    .oneof(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: -99_999_999, max: 99_999_999 }))
    .filter((cents) => cents !== 0),
  name: fc.constantFrom("Beta BV", "Gamma; Söhne", 'Van "den" Berg', "Delta, Inc", "ACME", ""),
  iban: fc.constantFrom(...ibans),
  text: fc.constantFrom("INV-2026-00012", "Miete Januar", "12,50 euro", "2026-01-05 shop", "C", "huur; en meer", ""),
  booked: fc.boolean()
})

const pairs = [
  ["D", "C"],
  ["S", "H"],
  ["Af", "Bij"],
  ["Debit", "Credit"],
  ["DBIT", "CRDT"],
  ["Soll", "Haben"],
  ["-", "+"],
  ["raus", "rein"],
  ["X", "Y"]
] as const

const dates: Readonly<Record<string, (y: string, m: string, d: string) => string>> = {
  iso: (y, m, d) => `${y}-${m}-${d}`,
  compact: (y, m, d) => `${y}${m}${d}`,
  dots: (y, m, d) => `${d}.${m}.${y}`,
  short: (y, m, d) => `${d}.${m}.${y.slice(2)}`,
  slashes: (y, m, d) => `${d}/${m}/${y}`,
  american: (y, m, d) => `${m}/${d}/${y}`,
  hyphens: (y, m, d) => `${d}-${m}-${y}`,
  time: (y, m, d) => `${y}-${m}-${d} 10:11:12`
}

export const dialect = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  date: fc.constantFrom(...Object.keys(dates)),
  decimal: fc.constantFrom(",", "."),
  grouping: fc.constantFrom("", "other", "'", " "),
  currency_beside: fc.constantFrom("", "", " EUR", " €"),
  sign: fc.constantFrom("minus", "trailing", "parentheses", "columns", "negative_columns", "words", "card"),
  words: fc.constantFrom(...pairs),
  sign_header: fc.constantFrom("CreditDebet", "Transaction Type", "Richtung", "Kind", "D/C", "Af Bij"),
  balance: fc.constantFrom("none", "none", "each", "last_of_day"),
  newest_first: fc.boolean(),
  headers: fc.constantFrom("en", "nl", "de", "unknown", "none"),
  order: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
  status: fc.boolean(),
  own_account: fc.boolean(),
  currency: fc.boolean(),
  value_date: fc.boolean(),
  quoted: fc.boolean(),
  preamble: fc.boolean(),
  footer: fc.boolean(),
  line_end: fc.constantFrom("\n", "\r\n", "\r"),
  movements: fc.array(movement, { minLength: 1, maxLength: 25 })
})
export type Dialect = typeof dialect extends fc.Arbitrary<infer A> ? A : never

const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [
    "Booking date",
    "Value date",
    "Amount",
    "Debit",
    "Credit",
    "Balance",
    "Counterparty name",
    "Counterparty IBAN",
    "Description",
    "Status",
    "Account",
    "Currency"
  ],
  nl: [
    "Boekdatum",
    "Valutadatum",
    "Bedrag",
    "Af",
    "Bij",
    "Saldo",
    "Naam tegenpartij",
    "Tegenrekening",
    "Omschrijving",
    "Status",
    "Rekening",
    "Munt"
  ],
  de: [
    "Buchungstag",
    "Wertstellung",
    "Betrag",
    "Soll",
    "Haben",
    "Saldo",
    "Beguenstigter/Zahlungspflichtiger",
    "Kontonummer/IBAN",
    "Verwendungszweck",
    "Status",
    "Auftragskonto",
    "Waehrung"
  ],
  unknown: [
    "Alpha",
    "Bravo",
    "Charlie",
    "Delta",
    "Echo",
    "Foxtrot",
    "Golf",
    "Hotel",
    "India",
    "Juliett",
    "Kilo",
    "Lima"
  ],
  none: []
}

const figure = (cents: number, { currency_beside, decimal, grouping }: Dialect): string => {
  const whole = String(Math.floor(Math.abs(cents) / 100))
  const mark = grouping === "other" ? (decimal === "," ? "." : ",") : grouping
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, mark)
  return `${cents < 0 ? "-" : ""}${grouped}${decimal}${String(Math.abs(cents) % 100).padStart(2, "0")}${currency_beside}`
}

/** Cells that the dialect does not use are empty. */
const amountCells = (
  cents: number,
  of: Dialect
): readonly [amount: string, debit: string, credit: string, word: string] => {
  const size = figure(Math.abs(cents), of)
  const word = of.words[cents < 0 ? 0 : 1]
  switch (of.sign) {
    case "minus":
      return [figure(cents, of), "", "", ""]
    case "trailing":
      return [cents < 0 ? `${figure(-cents, { ...of, currency_beside: "" })}-` : size, "", "", ""]
    case "parentheses":
      return [cents < 0 ? `(${size})` : size, "", "", ""]
    case "columns":
      return ["", cents < 0 ? size : "", cents < 0 ? "" : size, ""]
    case "negative_columns":
      return ["", cents < 0 ? figure(cents, of) : "", cents < 0 ? "" : size, ""]
    case "words":
      return [size, "", "", word]
    default:
      return [figure(-cents, of), "", "", ""]
  }
}

const own = "BE68539007547034"

/** Returns the movements as CSV in this dialect, and the booked ones in the order of the file. */
export const written = (of: Dialect) => {
  const timely = of.movements.toSorted((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0))
  const isBooked = ({ booked }: Movement) => !of.status || booked
  let cents = 123_456
  const lines = timely.map((each, index) => {
    if (isBooked(each)) cents += each.cents
    const isLast = timely[index + 1]?.day !== each.day
    const states = of.balance === "each" || (of.balance === "last_of_day" && isLast)
    return { ...each, balance: states && isBooked(each) ? figure(cents, of) : "" }
  })
  const ordered = of.newest_first ? lines.toReversed() : lines
  const write = dates[of.date] ?? ((year: string) => year)
  const dated = (text: string) => write(text.slice(0, 4), text.slice(5, 7), text.slice(8))
  const isColumns = of.sign === "columns" || of.sign === "negative_columns"
  const used = [
    true,
    of.value_date,
    !isColumns,
    isColumns,
    isColumns,
    of.balance !== "none",
    true,
    true,
    true,
    of.status,
    of.own_account,
    of.currency
  ]
  const header = [...(names[of.headers] ?? []), of.sign_header]
  const columns = [...used, of.sign === "words"].flatMap((isUsed, index) => (isUsed ? [index] : []))
  columns.sort((left, right) => (of.order[left % 12] ?? 0) - (of.order[right % 12] ?? 0) || left - right)
  const rows = ordered.map((line) => {
    const [amount, debit, credit, word] = amountCells(line.cents, of)
    const status = isBooked(line) ? "Booked" : "Pending"
    const cells = [
      dated(line.day),
      dated(line.day),
      amount,
      debit,
      credit,
      line.balance,
      line.name,
      line.iban,
      line.text,
      status,
      own,
      "EUR",
      word
    ]
    return columns.map((column) => cells[column] ?? "")
  })
  const card = of.sign === "card" ? [["Card number", "1234"]] : []
  const table = [
    ...(of.preamble
      ? [
          ["Export of", "our bank"],
          ["", ""]
        ]
      : []),
    ...card,
    ...(of.headers === "none" ? [] : [columns.map((column) => header[column] ?? "")]),
    ...rows,
    ...(of.footer ? [["Closing balance", "", figure(cents, of)], ["This is not a proof."]] : [])
  ]
  const quote = (cell: string) =>
    of.quoted || cell.includes(of.delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
  const text = table.map((row) => row.map(quote).join(of.delimiter)).join(of.line_end)
  return { text, booked: ordered.filter(isBooked) }
}

export const amountOf = (cents: number): string => BigDecimal.format(BigDecimal.make(BigInt(cents), 2))
