import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { camt, entry, tag } from "../../test/banking/statements/Camt.ts"
import { codaStatement } from "../../test/banking/statements/Coda.ts"

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
    cents: fc.oneof(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(0, 1e13, -1e13)),
    name: fc.constantFrom(...words),
    text: fc.constantFrom(...words)
  }),
  { minLength: 1, maxLength: 6 }
)

const decimal = (cents: number, point: string) => (cents / 100).toFixed(2).replace(".", point)

const csv = (rows: ReadonlyArray<Movement>) =>
  [
    "Datum;Bedrag;Naam;Mededeling",
    ...rows.map(({ cents, name, text }, index) => `0${index + 1}/03/2026;${decimal(cents, ",")};${name};${text}`)
  ].join("\r\n")

const xml = (rows: ReadonlyArray<Movement>) =>
  camt(
    rows.map(({ cents, text }) =>
      entry(
        decimal(Math.abs(cents), "."),
        cents < 0 ? "DBIT" : "CRDT",
        tag("NtryDtls", "", tag("TxDtls", "", tag("RmtInf", "", tag("Ustrd", text))))
      )
    )
  )

const coda = (rows: ReadonlyArray<Movement>) =>
  codaStatement(rows.map(({ cents, name, text }) => ({ amount: cents % 1e9, communication: text, name })))

/** What no bank writes. */
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

/** Whole most of the time; else cut, with a part twice, or with something strange in it. */
const damaged = (text: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(text) },
    { weight: 1, arbitrary: fc.nat(text.length).map((at) => text.slice(0, at)) },
    { weight: 1, arbitrary: fc.nat(text.length).map((at) => text + text.slice(at)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(text.length), fc.constantFrom(...strange))
        .map(([at, part]) => text.slice(0, at) + part + text.slice(at))
    }
  )

/** Files as a bank writes them, and what may become of them before they are sent. */
export const statements: Arbitrary<readonly [name: string, bytes: () => Buffer]> = fc
  .tuple(movements, fc.constantFrom(csv, xml, coda), fc.constantFrom("utf8", "utf16le", "latin1"))
  .chain(([rows, write, encoding]) =>
    damaged(write(rows)).map((text) => ["statement.txt", () => Buffer.from(text, encoding)] as const)
  )
