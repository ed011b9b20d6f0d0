import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { addsUp, keptLines } from "../../../src/banking/records/KeptLines.ts"
import { isMt940, parseMt940 } from "../../../src/banking/statements/Mt940.ts"

const statement = (movements: ReadonlyArray<string>, closing = "C260131EUR1081,36", account = "BE68539007547034") =>
  [":20:START", `:25:${account}`, ":28C:1/1", ":60F:C251231EUR1000,", ...movements, `:62F:${closing}`, "-"].join("\r\n")

const linesOf = (text: string) => {
  const { statements } = Result.getOrThrow(parseMt940(text))
  return statements.flatMap(({ lines }) => lines)
}
const reasonOf = (text: string) => Result.getOrThrow(Result.flip(parseMt940(text))).message

describe("parseMt940", () => {
  const german = [
    ":61:2601160116CR171,36N051NONREF//B-1",
    ":86:166?00GUTSCHRIFT?20EREF+E1?21SVWZ+INV-1 fu?22er Januar?30COBADEFF?31BE71096123456769?32BETA?33 GMBH",
    ":61:2601160116D90,N020NONREF",
    ":86:105?00LASTSCHRIFT?20Strom"
  ]

  it("reads balances, signs, and the parts of German information", () => {
    const text = statement(german)
    assert.isTrue(isMt940(text))
    const [read] = Result.getOrThrow(parseMt940(text)).statements
    assert.strictEqual(read?.account, "BE68539007547034")
    assert.isTrue(read !== undefined && addsUp({ ...read, lines: keptLines(read.lines) }))
    const [paid, power] = read?.lines ?? []
    assert.strictEqual(BigDecimal.format(paid?.amount ?? BigDecimal.fromBigInt(0n)), "171.36")
    assert.deepStrictEqual([paid?.counterparty_name, paid?.counterparty_iban], ["BETA GMBH", "BE71096123456769"])
    assert.deepStrictEqual([paid?.remittance_text, paid?.reference], ["INV-1 fuer Januar", "E1"])
    assert.deepStrictEqual([power?.remittance_text, power?.reference], ["LASTSCHRIFT Strom", null])
    assert.strictEqual(BigDecimal.format(power?.amount ?? BigDecimal.fromBigInt(0n)), "-90")
  })

  it("reads SEPA tags that continue over subfields, and the other party where no subfield names it", () => {
    const lines = linesOf(
      statement([
        ":61:2601160116CR10,N051KREF+//B-1",
        ":86:166?00GUTSCHRIFT?20EREF+A-?21100 PURP?22KREF+K1?23SVWZ+Rechnung?24 R-?25 17?60/2026?61ABWA+Ga?62mma?63BIC+COBADEFF",
        ":61:2601160116DR5,N020NONREF",
        ":86:105?00LASTSCHRIFT?20EREF+NOTPROVIDED?21MREF+M1?22CRED+DE98ZZZ?23IBAN+BE71096123456769?24ABWA+We?25ABWE+Delta",
        ":61:2601160116CR7,N051NONREF",
        ":86:166?00GUTSCHRIFT?20EREF+X9?21SVWZ+RF18539007547034?30BIC?31BE71096123456769?32BETA?33?29IBAN+NL91ABNA0417164300"
      ])
    )
    assert.deepStrictEqual(
      lines.map((line) => [line.remittance_text, line.reference, line.counterparty_name, line.counterparty_iban]),
      [
        ["Rechnung R- 17/2026", "A-100 PURP", "Gamma", null],
        ["LASTSCHRIFT", null, "Delta", "BE71096123456769"],
        ["RF18539007547034", "RF18539007547034", "BETA", "BE71096123456769"]
      ]
    )
  })

  it("reads Dutch information and free text", () => {
    const [dutch, free] = linesOf(
      statement([
        ":61:2601160116C171,36NTRFEREF//B-1",
        "/TRCD/00100/",
        ":86:/TRTP/SEPA OVERBOEKING/IBAN/BE71096123456769/BIC/KREDBEBB",
        "/NAME/BETA BV/REMI/INV-1/EREF/NOTPROVIDED",
        ":61:2601160116D90,NCHGNONREF",
        ":86:Kosten januari"
      ])
    )
    assert.deepStrictEqual([dutch?.counterparty_name, dutch?.counterparty_iban], ["BETA BV", "BE71096123456769"])
    assert.match(dutch?.remittance_text ?? "", /INV-1$/)
    assert.strictEqual(free?.remittance_text, "Kosten januari")
  })

  it("subtracts a reversed credit, and finds the year of an entry around New Year", () => {
    const [back] = linesOf(statement([":61:2601021230RC5,50NTRFX"], "C260131EUR994,5"))
    assert.deepStrictEqual(
      [BigDecimal.format(back?.amount ?? BigDecimal.fromBigInt(0n)), back?.booking_date],
      ["-5.5", "2025-12-30"]
    )
  })

  it("reads blank entry dates, short types and leading zeros, and nothing between two messages", () => {
    const text = statement([":61:260116    D000000000012,50NTRFX", ":61:2601160116C12,5S   X"], "C260131EUR1000,")
    const { statements } = Result.getOrThrow(parseMt940(`${text}\r\nABNANL2A\r\n940\r\n${text}}{5:}{MAC:AB}`))
    assert.deepStrictEqual(
      statements.map(({ closing, lines, opening }) => [
        lines.length,
        addsUp({ opening, lines: keptLines(lines), closing })
      ]),
      [
        [2, true],
        [2, true]
      ]
    )
  })

  it("names the line of a malformed movement or balance", () => {
    assert.match(reasonOf(statement([":61:260116CR171;36NTRF"])), /movement is malformed \(line 5\)/)
    assert.match(reasonOf(statement([], "X260131EUR1,")), /balance is malformed/)
    assert.match(reasonOf(statement([]).replace(/:62F[^]*/, "")), /no closing balance/)
  })
})
