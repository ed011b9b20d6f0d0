import { assert, describe, it } from "vitest"
import { BigDecimal, Option, Result, Schema } from "effect"
import * as fc from "fast-check"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { addsUp, keptLines } from "../../../src/banking/records/KeptLines.ts"
import { parseCsv } from "../../../src/banking/csv/Csv.ts"
import { numberOf } from "../../../src/banking/csv/cells/CsvNumbers.ts"
import type { CsvMapping } from "../../../src/banking/csv/cells/CsvMapping.ts"
import { junk } from "../imports/Junk.ts"
import { textOf } from "../../../src/banking/records/Encoding.ts"

const EUR = Schema.decodeSync(CurrencyCode)("EUR")
const fileOf = (rows: ReadonlyArray<string>, mapping?: CsvMapping) =>
  Result.getOrThrow(parseCsv(rows.join("\r\n"), { currency: EUR, iban: null, mapping }))
const timeOf = (text: string, mapping: CsvMapping | undefined) => {
  const start = process.cpuUsage().user
  const read = parseCsv(text, { currency: EUR, iban: null, mapping })
  return { ms: (process.cpuUsage().user - start) / 1000, isRead: Result.isSuccess(read) }
}

const linesOf = (rows: ReadonlyArray<string>, mapping?: CsvMapping) =>
  fileOf(rows, mapping).statements.flatMap(({ lines }) => lines)
const amountsOf = (rows: ReadonlyArray<string>, mapping?: CsvMapping) =>
  linesOf(rows, mapping).map(({ amount }) => BigDecimal.format(amount))
const refusalOf = (rows: ReadonlyArray<string>, mapping?: CsvMapping) =>
  Result.match(parseCsv(rows.join("\n"), { currency: EUR, iban: null, mapping }), {
    onFailure: (error) => error,
    onSuccess: () => undefined
  })

const proofOf = (...rows: ReadonlyArray<string>) => fileOf(rows).reading.sign.proof

const check = (given: ReadonlyArray<string>) => {
  const [statement] = fileOf(["Date;Amount;Balance", ...given]).statements
  return statement !== undefined && addsUp({ ...statement, lines: keptLines(statement.lines) })
}

describe("parseCsv", () => {
  it("reports a balance that does not follow from the rows before, if an unreadable row forbids to refuse the file", () => {
    const rows = ["Date;Amount;Balance;Name", "2026-01-05;10,00;110,00;a", "2026-01-06;10,00;120,00;b"]
    const unreadable = "2026-01-07;ten;;c"
    const last = "2026-01-08;5,00;125,00;d"
    const errorsOf = (...given: ReadonlyArray<string>) => fileOf([...rows, ...given]).errors.map(({ row }) => row)
    assert.deepStrictEqual(errorsOf(unreadable, last), [4])
    assert.deepStrictEqual(errorsOf("2026-01-06;7,00;129,00;e", unreadable), [4, 5])
  })

  it("reports a last row without figures, where the file may be cut", () => {
    const rows = ["Date;Name;Amount;Balance", "2026-01-05;a;10,00;110,00", "2026-01-06;b;10,00;120,00"]
    const errorsOf = (...given: ReadonlyArray<string>) => fileOf([...rows, ...given]).errors.map(({ row }) => row)
    assert.deepStrictEqual(errorsOf("2026-01-07;cut;;"), [4])
    assert.deepStrictEqual(errorsOf("2026-01-07;described;;", "2026-01-07;c;5,00;125,00"), [])
  })

  it("reports a last row in whose middle the file ends, and accepts a whole one without a line end", () => {
    const rows = ["Date;Value date;Amount;Balance;Name", "2026-01-05;2026-01-05;10,00;110,00;a", ";;;;more about it"]
    const errorsOf = (...given: ReadonlyArray<string>) => fileOf([...rows, ...given]).errors.map(({ row }) => row)
    assert.deepStrictEqual(errorsOf("2026-01-06;2026-01-06;5,00;115,00;b"), [])
    assert.deepStrictEqual(errorsOf("2026-01-06;2026-01-06;5,00;115,00;b", ";;;;more"), [])
    for (const torn of ["2026", "2026-01-06;2026-01-06;5,00;115,00", "2026-01-06;2026-01;5,00;115,00;b", ";;;more"]) {
      assert.deepStrictEqual(errorsOf(torn), [4], torn)
    }
    const ended = "2026-01-06;2026-01-06;5,00;115,00;b"
    assert.deepStrictEqual(errorsOf(ended, "Disclaimer:;;;;", "No bank is responsible"), [])
  })

  it("reads the counterparty's name next to an empty column of its account", () => {
    const [line] = linesOf(["Date,Amount,Counterparty,Name", '2026-01-05,"-8,78",,Cloud', '2026-01-06,"3,00",,Cloud'])
    assert.strictEqual(line?.counterparty_name, "Cloud")
  })

  it("calls two columns without a minus and without a balance unproved", () => {
    const columns = "Datum;Soll;Haben"
    assert.strictEqual(proofOf(columns, "16.01.2026;;12,50", "17.01.2026;3,00;"), "none")
    assert.strictEqual(proofOf(columns, "16.01.2026;;12,50", "17.01.2026;-3,00;"), "values")
    assert.strictEqual(proofOf(`${columns};Saldo`, "16.01.2026;;12,50;100,00", "17.01.2026;3,00;;97,00"), "balance")
  })

  it("finds delimiter, header, dates and numbers of a Belgian export below its preamble", () => {
    const rows = [
      "Rekening;BE68 5390 0754 7034",
      "",
      "Boekingsdatum;Valutadatum;Bedrag;Munt;Naam tegenpartij;Rekening tegenpartij;Vrije mededeling;Gestructureerde mededeling",
      '05/01/2026;06/01/2026;-1.234,50;EUR;"Van der ""Berg""; zonen";BE71 0961 2345 6769;huur;',
      "25/01/2026;25/01/2026;171,36;EUR;Beta;;;+++020/2600/04222+++"
    ]
    const [rent, paid] = linesOf(rows)
    assert.strictEqual(rent?.booking_date, "2026-01-05")
    assert.strictEqual(rent?.value_date, "2026-01-06")
    assert.strictEqual(BigDecimal.format(rent?.amount ?? BigDecimal.fromBigInt(0n)), "-1234.5")
    assert.strictEqual(rent?.counterparty_name, 'Van der "Berg"; zonen')
    assert.strictEqual(rent?.counterparty_iban, "BE71096123456769")
    assert.strictEqual(paid?.reference, "+++020/2600/04222+++")
  })

  it("reads the sign from two columns, a column of words, parentheses or a trailing minus", () => {
    const two = ["Date,Debit,Credit", "2026-01-05,12.50,", "2026-01-06,,3.00", "2026-01-07,1.25,0.00"]
    assert.deepStrictEqual(amountsOf(two), ["-12.5", "3", "-1.25"])
    assert.deepStrictEqual(amountsOf(["Date,Debit,Credit", "2026-01-05,-12.50,", "2026-01-06,,3.00"]), ["-12.5", "3"])
    const words = ["Datum,Af Bij,Bedrag", '20260105,Af,"12,50"', '20260106,Bij,"3,00"']
    assert.deepStrictEqual(amountsOf(words), ["-12.5", "3"])
    const signs = [
      "Date;Amount",
      "2026-01-05;(12.00)",
      "2026-01-06;12.00-",
      "2026-01-07;+1'234.56",
      "2026-01-08;\u221215.00 €"
    ]
    assert.deepStrictEqual(amountsOf(signs), ["-12", "-12", "1234.56", "-15"])
  })

  it("refuses signs that only a plus or a single word suggests, and two dates without names", () => {
    const card = ["Date,Description,Amount", "12-Dec-2026,Shop,£18.89", "02-Dec-2026,Payment,+ £100.00"]
    assert.strictEqual(refusalOf(card)?._tag, "AmbiguousSign")
    const terminal = ["Datum,Durchgeführt mit,Betrag", "2026-01-16,DEBIT,1.85"]
    assert.strictEqual(refusalOf(terminal)?._tag, "AmbiguousSign")
    const moved = fileOf(["Datum;Soll;Haben", "16.01.2026;;12,50", "17.01.2026;;3,00"])
    assert.strictEqual(moved.reading?.sign.proof, "none")
    const booked = [1, 2, 3, 4].map((day) => `0${day}.01.2026;INV-${day};;-${day},50`)
    const pending = ["Datum;Text;Soll;Haben", "05.01.2026;Karte;9,00;"]
    assert.strictEqual(refusalOf(["Dag;Tekst;A;B", ...booked, "", ...pending])?._tag, "InvalidStatement")
    const dates = ["28.06.2026;Zinsen;01.07.2026;-0,15;EUR", "04.07.2026;Gutschrift;05.07.2026;123,60;EUR"]
    assert.strictEqual(refusalOf(dates)?._tag, "InvalidStatement")
    assert.strictEqual(linesOf(dates, { columns: { booking_date: 1, value_date: 3 } })[0]?.booking_date, "2026-06-28")
  })

  it("refuses ambiguous amounts, lists the rows, and follows the mapping", () => {
    const rows = ["Date;Amount", "2026-01-05;1.234", "2026-01-06;12"]
    const refused = refusalOf(rows)
    assert.strictEqual(refused?.code, "ambiguous_amount_format")
    assert.deepStrictEqual(refused?.details, { rows: [2] })
    assert.deepStrictEqual(amountsOf(rows, { decimal_separator: "," }), ["1234", "12"])
    assert.deepStrictEqual(amountsOf([...rows, "2026-01-07;3,50"]), ["1234", "12", "3.5"])
  })

  it("refuses ambiguous dates", () => {
    const rows = ["Date;Amount", "03/04/2026;1,00", "05/06/2026;1,00"]
    assert.strictEqual(refusalOf(rows)?.code, "ambiguous_date_format")
    assert.strictEqual(linesOf(rows, { date_format: "MM/DD/YYYY" })[0]?.booking_date, "2026-03-04")
    assert.strictEqual(linesOf([...rows, "13/06/2026;1,00"])[0]?.booking_date, "2026-04-03")
    assert.strictEqual(linesOf(["Date;Amount", "03.04.26;1,00"])[0]?.booking_date, "2026-04-03")
  })

  it("does not read another column as the rest of a date when a figure's comma could split the row", () => {
    const time = "2025-01-01 10:11:12"
    const row = [time, time, "Beta BV", "BE71096123456769", "INV-2026-00012", "1,000.00-"].join("|")
    assert.strictEqual(refusalOf(["Alpha|Bravo|Golf|Hotel|India|Charlie", row])?._tag, "InvalidStatement")
    for (const rest of ["", " 10:11", "T10:11:12Z", " 9.30 Uhr", " UTC", "T101112"]) {
      assert.strictEqual(linesOf(["Date;Amount", `2026-01-31${rest};-1,00`])[0]?.booking_date, "2026-01-31")
    }
    assert.strictEqual(linesOf(["Date;Amount", "31/01/2026, 10:15;-1,00"])[0]?.booking_date, "2026-01-31")
  })

  it("refuses to choose between two columns with the same header and different amounts", () => {
    const rows = ["Date;Amount;Text;Amount", "2026-01-05;-1,50;a;-1,80", "2026-01-06;2,50;b;2,50"]
    assert.match(refusalOf(rows)?.message ?? "", /the columns 2 and 4 have the same header; name one of them/)
    assert.deepStrictEqual(amountsOf(rows, { columns: { amount: 4 } }), ["-1.8", "2.5"])
    assert.deepStrictEqual(amountsOf(rows.map((row) => row.replace("-1,80", "-1,50"))), ["-1.5", "2.5"])
  })

  it("reports invalid rows by their position in the file", () => {
    const { errors, statements } = fileOf([
      "Date;Amount",
      "2026-01-05;1.50",
      "2026-13-05;1.50",
      "2026-01-06;x",
      "2026-01-06;1.505"
    ])
    assert.deepStrictEqual(
      errors.map(({ row }) => row),
      [3, 4, 5]
    )
    assert.strictEqual(statements[0]?.lines.length, 1)
  })

  it("follows the running balance in both directions of time, and detects one that does not add up", () => {
    const rows = ["2026-01-05;10.00;110.00", "2026-01-06;-30.00;80.00", "2026-01-07;5.00;85.00"]
    assert.isTrue(check(rows))
    assert.isTrue(check(rows.toReversed()))
    assert.isFalse(check([...rows.slice(0, 1), "2026-01-07;5.00;85.00"]))
  })

  it("refuses a mapping with a wrong name about as fast as it reads the file, also if many rows look like headers", () => {
    const row = "2026-01-05;Beta;Order 12;-1,50;EUR"
    const file = ["Date;Name;Text;Amount;Currency", ...Array.from({ length: 1_500 }, () => row)].join("\n")
    const headers = Array.from({ length: 40 }, () => "Betrag;a;b;c;d").join("\n")
    const normal = [1, 2, 3].map(() => timeOf(file, undefined))
    assert.isTrue(normal.every(({ isRead }) => isRead))
    const ms_max = 5 * Math.max(...normal.map(({ ms }) => ms))
    for (const text of [file, `${headers}\n${file}`]) {
      const { isRead, ms } = timeOf(text, { columns: { amount: "Betrag", booking_date: null } })
      assert.isFalse(isRead)
      assert.isBelow(ms, ms_max)
    }
  })

  it("reads columns of any name with a mapping", () => {
    const rows = ["x", "When|How much|Who", "2026-01-05|1.50|Beta"]
    const columns = { booking_date: "when", amount: "How much", counterparty_name: "Who" }
    const [line] = linesOf(rows, { delimiter: "|", skip_rows: 1, columns })
    assert.strictEqual(line?.counterparty_name, "Beta")
    assert.match(refusalOf(rows, { columns: { booking_date: "Nowhere" } })?.message ?? "", /columns of the mapping/)
    assert.match(refusalOf(["a;b", "1;2"])?.message ?? "", /column of dates/)
  })

  it("refuses input beyond its limits", () => {
    assert.match(refusalOf(["Date;Amount", `2026-01-05;${"1".repeat(6_000)}`])?.message ?? "", /5000 characters/)
    assert.match(refusalOf(["Date;Amount", ";".repeat(200)], { delimiter: ";" })?.message ?? "", /100 cells/)
    assert.match(refusalOf(["Date;Amount", '"open'])?.message ?? "", /not closed/)
    assert.match(
      refusalOf(["Date;Amount", ...Array.from({ length: 101_000 }, () => "2026-01-05;1.00")])?.message ?? "",
      /100000 rows/
    )
  })

  it("reads every amount that a locale formats", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.constantFrom("en-US", "de-DE", "fr-FR", "de-CH"),
        (cents, locale) => {
          const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(cents / 100)
          const separator = locale === "de-DE" || locale === "fr-FR" ? "," : "."
          const number = Option.getOrThrow(numberOf(text, separator))
          assert.isTrue(BigDecimal.equals(number, BigDecimal.make(BigInt(cents), 2)), text)
        }
      )
    )
  })

  it("gives lines or a refusal for any text", () => {
    const cell = fc.oneof(fc.constantFrom("Date", "Amount", "2026-01-05", "1,50", '"', "", ";"), junk())
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }), (rows) => {
        const text = ["Date;Amount", ...rows.map((row) => row.join(";"))].join("\n")
        assert.isDefined(parseCsv(text, { currency: EUR, iban: null, mapping: undefined })._tag)
      })
    )
  })
})

const read = (bytes: Uint8Array) => Result.getOrElse(textOf(bytes), ({ message }) => message)

describe("textOf", () => {
  const text = "Café €"

  it("reads UTF-8, both UTF-16 byte orders and Windows-1252, with and without a byte order mark", () => {
    const utf16 = Buffer.from(`${text};Saldo;Datum;Bedrag`, "utf16le")
    assert.strictEqual(read(Buffer.from(text)), text)
    assert.strictEqual(read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])), text)
    assert.strictEqual(read(utf16), `${text};Saldo;Datum;Bedrag`)
    assert.strictEqual(read(Buffer.from(utf16).swap16()), `${text};Saldo;Datum;Bedrag`)
    assert.strictEqual(read(Uint8Array.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x80])), text)
  })

  it("refuses binary files", () => {
    assert.match(read(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0x41, 0x42, 0x43, 0x44])), /not a text/)
  })
})
