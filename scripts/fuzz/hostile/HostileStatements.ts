import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { camt, entry, tag } from "../../../test/banking/statements/Camt.ts"
import { codaStatement } from "../../../test/banking/statements/Coda.ts"

export const statement_iban = "BE71096123456769"

interface Movement {
  readonly cents: number
  readonly name: string
  readonly text: string
}

const words: ReadonlyArray<string> = [
  "Beta BV",
  "Café Zürich",
  "INV-2026-0001",
  "+++020/2600/00178+++",
  "=1+1",
  "a;b",
  '"'
]

const movements: Arbitrary<ReadonlyArray<Movement>> = fc.array(
  fc.record({
    cents: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: -99_999, max: 99_999 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, 1e13, -1e13) }
    ),
    name: fc.constantFrom(...words),
    text: fc.constantFrom(...words)
  }),
  { minLength: 1, maxLength: 6 }
)

const decimal = (cents: number, point: string) => (cents / 100).toFixed(2).replace(".", point)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Days of the month are greater than 12, so that day and month cannot be confused. */
const csv = (rows: ReadonlyArray<Movement>) =>
  [
    "Datum;Bedrag;Naam;Mededeling",
    ...rows.map(
      ({ cents, name, text }, index) => `${index + 13}/03/2026;${decimal(cents, ",")};${quoted(name)};${quoted(text)}`
    )
  ].join("\r\n")

const xml = (rows: ReadonlyArray<Movement>) =>
  camt(
    rows.map(({ cents, text }) =>
      entry(
        decimal(Math.abs(cents), "."),
        cents < 0 ? "DBIT" : "CRDT",
        tag("NtryDtls", "", tag("TxDtls", "", tag("RmtInf", "", tag("Ustrd", text))))
      )
    ),
    { iban: statement_iban }
  )

const coda = (rows: ReadonlyArray<Movement>, number: number) =>
  codaStatement(
    rows.map(({ cents, name, text }) => ({ amount: cents % 1e9, communication: text, name })),
    { iban: statement_iban, number }
  )

const strange: ReadonlyArray<string> = [
  "\u0000",
  "\ufeff",
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  "&#x110000;",
  "<a>".repeat(5_000),
  "\n".repeat(5_000),
  ";".repeat(5_000),
  "9".repeat(400),
  "1e9999",
  "\ud800"
]

/** Usually leaves the text intact; otherwise cuts it, repeats a part of it, or inserts strange text. */
const damaged = (text: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(text) },
    { weight: 1, arbitrary: fc.nat(text.length).map((at) => text.slice(0, at)) },
    { weight: 1, arbitrary: fc.nat(text.length).map((at) => text + text.slice(at)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(text.length), fc.constantFrom(...strange))
        .map(([at, part]) => text.slice(0, at) + part + text.slice(at))
    }
  )

/** Bank statements in the formats and encodings that banks use. Some are damaged before they are sent. */
export const statements: Arbitrary<readonly [name: string, bytes: () => Buffer]> = fc
  .tuple(
    movements,
    fc.constantFrom(csv, xml, coda),
    fc.integer({ min: 1, max: 999 }),
    fc.constantFrom("utf8", "utf8", "utf8", "utf16le", "latin1")
  )
  .chain(([rows, write, number, encoding]) =>
    damaged(write(rows, number)).map((text) => ["statement.txt", () => Buffer.from(text, encoding)] as const)
  )
