import { assert, describe, it } from "vitest"
import { BigDecimal, Result } from "effect"
import { addsUp, keptLines } from "../../../src/banking/records/KeptLines.ts"
import { isMt940, parseMt940 } from "../../../src/banking/statements/formats/Mt940.ts"
import { lineKeys } from "../../../src/banking/statements/LineKey.ts"

const statement = (movements: ReadonlyArray<string>, closing = "C260131EUR1081,36", account = "BE68539007547034") =>
  [":20:START", `:25:${account}`, ":28C:1/1", ":60F:C251231EUR1000,", ...movements, `:62F:${closing}`, "-"].join("\r\n")

const linesOf = (text: string) => {
  const { statements } = Result.getOrThrow(parseMt940(text))
  return statements.flatMap(({ lines }) => lines)
}
const nameOf = (parts: string) =>
  linesOf(statement([":61:2601160116CR1,N051NONREF", `:86:166?00GUTSCHRIFT?20a${parts}`]))[0]?.counterparty_name
const reasonOf = (text: string) => Result.getOrThrow(Result.flip(parseMt940(text))).message

const endOf = (text: string) => Result.getOrThrow(parseMt940(text)).ends_early

describe("parseMt940", () => {
  const german = [
    ":61:2601160116CR171,36N051NONREF//B-1",
    ":86:166?00GUTSCHRIFT?20EREF+E1?21SVWZ+INV-1?22fuer Januar?30COBADEFF?31BE71096123456769?32BETA?33GMBH",
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
        ":86:166?00GUTSCHRIFT?20EREF+A-2026-0001-0002-0003-?21100 PURP?22KREF+K1?23SVWZ+Rechnung" +
          "?24fuer Bestellung Nr. R-17/20?2526?60vom Mai?61ABWA+Gamma Holding Beteilig?62ungs GmbH?63BIC+COBADEFF",
        ":61:2601160116DR5,N020NONREF",
        ":86:105?00LASTSCHRIFT?20EREF+NOTPROVIDED?21MREF+M1?22CRED+DE98ZZZ?23IBAN+BE71096123456769?24ABWA+We?25ABWE+Delta",
        ":61:2601160116CR7,N051NONREF",
        ":86:166?00GUTSCHRIFT?20EREF+X9?21SVWZ+RF18539007547034?30BIC?31BE71096123456769?32BETA?33?29IBAN+NL91ABNA0417164300"
      ])
    )
    assert.deepStrictEqual(
      lines.map((line) => [line.remittance_text, line.reference, line.counterparty_name, line.counterparty_iban]),
      [
        [
          "Rechnung fuer Bestellung Nr. R-17/2026 vom Mai",
          "A-2026-0001-0002-0003-100 PURP",
          "Gamma Holding Beteiligungs GmbH",
          null
        ],
        ["LASTSCHRIFT", null, "Delta", "BE71096123456769"],
        ["RF18539007547034", "RF18539007547034", "BETA", "BE71096123456769"]
      ]
    )
  })

  it("joins the parts of a name with a blank, unless the first part is full", () => {
    assert.strictEqual(nameOf("?32MUELLER GMBH?33UND SOEHNE"), "MUELLER GMBH UND SOEHNE")
    assert.strictEqual(nameOf("?32MUELLER UND SOEHNE MASCHINE?33NBAU GMBH"), "MUELLER UND SOEHNE MASCHINENBAU GMBH")
    assert.isNull(nameOf("?32?33"))
  })

  it("recognizes a line that was imported when the parts were joined without blanks", () => {
    const information = ":86:166?00GUTSCHRIFT?20SVWZ+Rechnung 4711?21vom Januar?32MUELLER GMBH?33UND SOEHNE"
    const [line] = linesOf(statement([":61:2601160116CR1,N051NONREF", information]))
    assert.isDefined(line)
    const { earlier_texts: _, ...read } = line
    const earlier = { counterparty_name: "MUELLER GMBHUND SOEHNE", remittance_text: "Rechnung 4711vom Januar" }
    assert.strictEqual(read.remittance_text, "Rechnung 4711 vom Januar")
    assert.deepStrictEqual(lineKeys()(line), lineKeys()({ ...read, ...earlier }))
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

  it("keeps the information of the whole statement out of its last movement", () => {
    const [line] = linesOf(
      `${statement([":61:2601160116D100,NTRFR-1//B-1", ":86:/CNTP/BE71096123456769/KREDBEBB/BETA BV///REMI/USTD//INV-1/"]).replace(/-$/, "")}:64:C260131EUR1,\r\n:86:/SUM/1/0/100,/0,/\r\n-XXX\r\n0000 01BANKNL22AXXX00044`
    )
    assert.deepStrictEqual(
      [line?.counterparty_name, line?.counterparty_iban, line?.remittance_text],
      ["BETA BV", "BE71096123456769", "R-1 INV-1"]
    )
  })

  it("reads Dutch structured references, and texts with slashes of their own", () => {
    const lines = linesOf(
      statement([
        ":61:2601160116D1,NTRFNONREF//B-1",
        ":86:/REMI/STRD/CUR/1234567890123456/PURP/TAXS/",
        ":61:2601160116D2,NTRFEREF//B-2",
        "NL91ABNA0417164300",
        ":86:/BENM//NAME/Tax office/REMI//CDTRREFTP//CD/SCOR/ISSR/CUR/CDTRREF/6543210987654321/ISDT/2026-01-16",
        ":61:2601160116D3,NTRFNONREF//B-3",
        ":86:/NAME/BETA BV/REMI//INV/1511682351 1.12.2025/IBAN/BE71096123456769",
        ":86:/EREF/E9/"
      ])
    )
    assert.deepStrictEqual(
      lines.map(({ counterparty_iban, counterparty_name, reference, remittance_text }) => [
        remittance_text,
        reference,
        counterparty_name,
        counterparty_iban
      ]),
      [
        ["1234567890123456", "1234567890123456", null, null],
        ["6543210987654321", "6543210987654321", "Tax office", "NL91ABNA0417164300"],
        ["INV/1511682351 1.12.2025 E9", null, "BETA BV", "BE71096123456769"]
      ]
    )
  })

  it("reads information of slashes alone in time", () => {
    const begun = performance.now()
    const [line] = linesOf(statement([":61:2601160116CR10,N051NONREF", `:86:/REMI/${"/".repeat(60_000)}x`]))
    assert.match(line?.remittance_text ?? "", /x$|^\/+$/)
    assert.isBelow(performance.now() - begun, 1_000)
  })

  it("reads wrapped times, value days on 30 February, and movements without a type", () => {
    const text = statement([
      ":61:2602300301DR1,N024NONREF",
      ":86:805?00ENTGELT?20am 12.01. um 16",
      ":26:37 Uhr?21 gebucht",
      ":61:2601160116CR3,//B-2",
      ":86:Salary"
    ])
    const [fee, paid] = linesOf(text)
    assert.deepStrictEqual(
      [fee?.booking_date, fee?.value_date, fee?.remittance_text],
      ["2026-03-01", "2026-02-28", "ENTGELT am 12.01. um 16:26:37 Uhr gebucht"]
    )
    assert.deepStrictEqual([paid?.bank_id, paid?.remittance_text], ["B-2", "Salary"])
    assert.match(reasonOf(statement([":61:2601320301DR1,N024NONREF"])), /movement is malformed/)
  })

  it("reads the IBAN of Polish information, and files that DOS has joined", () => {
    const text = statement([
      ":61:2601160116C10,NTRFNONREF//B-1",
      ":86:020~00PRZELEW~20FV 1/2026~3096123456~31700000000001~32BETA~38BE71096123456769"
    ])
    const lines = linesOf(`${text}\r\n\u001a${text}`)
    assert.deepStrictEqual(
      lines.map(({ counterparty_iban }) => counterparty_iban),
      ["BE71096123456769", "BE71096123456769"]
    )
  })

  it("refuses an interim report and a file without an account by name", () => {
    const interim = ":20:1\n:25:BE68539007547034\n:28C:1\n:34F:EUR0,\n:13D:2601161200+0100\n:61:260116D1,NTRFX\n-"
    assert.isTrue(isMt940(interim))
    assert.match(reasonOf(interim), /interim report \(MT942\)/)
    const good = statement([":61:260116C1,NTRFX"])
    const bare = good.replace(/:25:.*\r\n/, "")
    for (const file of [bare, `${bare}\r\n${good}`, `${good}\r\n${bare}`, `${good}\r\n:20:START`]) {
      assert.match(reasonOf(file), /no account/)
    }
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

  it("refuses a SWIFT block without its end, and says when a page or the end of a message is missing", () => {
    const good = statement([":61:260116C1,NTRFX"])
    const block = `{1:F01BANKBEBB0000000000}{2:I940BANKBEBBXN}{4:\r\n${good}}`
    for (const cut of [
      block.replace(/\r\n-\}$/, ""),
      `${block}\r\n{1:F01BANKBEBB00`,
      `${block}${block.slice(0, -3)}`
    ]) {
      assert.match(reasonOf(cut), /its last message has no end/)
    }
    const page = good.replace(":62F:", ":62M:")
    const rest = good.replace(":60F:", ":60M:").replace(":28C:1/1", ":28C:1/2")
    const whole = [good, good.slice(0, -3), block, `${block}{5:}`, `${block}\r\n{5:{CHK:1}}`, `${page}\r\n${rest}`]
    assert.deepStrictEqual(
      whole.map(endOf),
      whole.map(() => undefined)
    )
    assert.deepStrictEqual([endOf(page), endOf(`${good}\r\n${rest}`)], ["page", undefined])
    assert.deepStrictEqual(endOf(`${good}\r\n${good.slice(0, -3)}`), "message")
    assert.deepStrictEqual(endOf(`${good}\r\n${good.replace(/-$/, ":64:C260131EU")}`), "message")
  })

  it("names the line of a malformed movement or balance", () => {
    assert.match(reasonOf(statement([":61:260116CR171;36NTRF"])), /movement is malformed \(line 5\)/)
    assert.match(reasonOf(statement([], "X260131EUR1,")), /balance is malformed/)
    assert.match(reasonOf(statement([]).replace(/:62F[^]*/, "")), /no closing balance/)
  })
})
