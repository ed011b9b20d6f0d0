import { BigDecimal, Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseCsv } from "../../../src/banking/csv/Csv.ts"
import type { CsvMapping } from "../../../src/banking/csv/cells/CsvMapping.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"

const ours = "BE68539007547034"
const others = "BE71096123456769"
const supplier = "NL91ABNA0417164300"

interface Read {
  readonly iban?: string | null
  readonly mapping?: CsvMapping
}

const parsed = (rows: ReadonlyArray<string>, { iban = ours, mapping }: Read = {}) =>
  parseCsv(`${rows.join("\r\n")}\r\n`, { currency: CurrencyCode.make("EUR"), iban, mapping })

const read = (rows: ReadonlyArray<string>, options?: Read) => {
  const { errors, statements } = Result.getOrThrow(parsed(rows, options))
  return {
    rows: errors.map(({ row }) => row),
    pending: statements.reduce((sum, { skipped_pending }) => sum + skipped_pending, 0),
    accounts: statements.map(({ account }) => account),
    lines: statements.flatMap(({ lines }) =>
      lines.map(({ amount, booking_date }) => `${booking_date} ${BigDecimal.format(amount)}`)
    )
  }
}

const refusal = (rows: ReadonlyArray<string>) => Result.getOrThrow(Result.flip(parsed(rows)))

describe("a CSV file with lines of several accounts of the organization", () => {
  const named = [
    "Auftragskonto;Buchungstag;Verwendungszweck;Kontonummer/IBAN;Betrag;Saldo",
    `${ours};13.03.2026;INV-1;${supplier};1.210,00;1.297,50`,
    `${others};13.03.2026;rent;${supplier};-50,00;950,00`,
    `${ours};14.03.2026;paper;${supplier};-12,50;1.285,00`
  ]

  it("has the lines of the account only", () => {
    const own = { rows: [], pending: 0, accounts: [ours], lines: ["2026-03-13 1210", "2026-03-14 -12.5"] }
    expect(read(named)).toEqual(own)
    // A column named "IBAN" may contain the account of either party. Here some of its values are the organization's own
    // account, so the column is read as that account.
    const general = named.map((row) => row.replace("Auftragskonto", "IBAN").replace(/;(?:NL\w+|Konto[^;]*);/, ";"))
    expect(read(general)).toEqual(own)
  })

  it("names the accounts if it has no lines of the account", () => {
    expect(read(named, { iban: "FR1420041010050500013M02606" }).accounts).toEqual([ours, others])
  })
})

it("an account in each row is that of the other party if no row has the own one", () => {
  const rows = ["IBAN;Datum;Text;Betrag", `${others};13.03.2026;a;1,00`, `${supplier};14.03.2026;b;-1,00`]
  const { statements } = Result.getOrThrow(parsed(rows))
  expect(statements.flatMap(({ lines }) => lines.map((line) => line.counterparty_iban))).toEqual([others, supplier])
})

describe("a CSV file with lines that are not booked", () => {
  it.each([
    ["Danish", "Dato;Tekst;Belob;Status", "Udført", "Venter"],
    ["Italian", "Data;Operazione;Importo;Contabilizzazione", "CONTABILIZZATO", "NON CONTABILIZZATO"]
  ])("in %s is read without them", (_, header, booked, pending) => {
    const rows = [header, `13.03.2026;a;-12,50;${booked}`, `14.03.2026;b;-60,00;${pending}`]
    expect(read(rows)).toMatchObject({ pending: 1, lines: ["2026-03-13 -12.5"] })
  })

  it("in other words is refused with what to do", () => {
    const rows = ["Datum;Text;Betrag;Status", "13.03.2026;a;-12,50;valmis", "14.03.2026;b;-60,00;odottaa"]
    expect(refusal(rows).message).toMatch(/valmis, odottaa; remove the rows .* name the column as columns\.status/)
  })
})

describe("a CSV file with rows that are no movements", () => {
  it("has a second row of names, and a balance before the first movement", () => {
    const double = ["Buchung;Wert;Text;Betrag;Saldo", "Tag;Tag;Zeile;in EUR;in EUR", "13.03.26;13.03.26;a;12,50-;87,50"]
    expect(read(double)).toMatchObject({ rows: [], lines: ["2026-03-13 -12.5"] })
    const before = [
      "Date,Description,Amount,Running Bal.",
      "03/13/2026,Beginning balance,,100.00",
      "03/14/2026,a,-12.50,87.50"
    ]
    expect(read(before)).toMatchObject({ rows: [], lines: ["2026-03-14 -12.5"] })
  })

  it("reports a last row that may be a balance, where no header says so", () => {
    const rows = ["15/03/2026;1210,00;Virement;BETA", "13/03/2026;-12,50;Carte;CB", "16/03/2026;1197,50;;"]
    expect(read(rows)).toMatchObject({ rows: [3], lines: ["2026-03-15 1210", "2026-03-13 -12.5"] })
  })

  it.each([
    ["an opening balance", "2026-03-01;Saldo iniziale;;1000,00", true],
    ["a closing balance", "2026-03-31;;Closing balance;1047,50", false],
    ["a sum", "2026-03-31;Total;;47,50", false]
  ])("reports a row that states %s, with and without a header", (_, figure, isFirst) => {
    const movements = ["2026-03-10;Beta;Invoice;60,00", "2026-03-11;Bank;Solde;-12,50"]
    const rows = isFirst ? [figure, ...movements] : [...movements, figure]
    const lines = ["2026-03-10 60", "2026-03-11 -12.5"]
    expect(read(rows)).toMatchObject({ rows: [isFirst ? 1 : 3], lines })
    expect(read(["Date;Name;Message;Amount", ...rows])).toMatchObject({ rows: [isFirst ? 2 : 4], lines })
  })

  it("reads a last row of a shop with the name Total as a movement", () => {
    const rows = ["2026-03-10;Beta;Invoice;60,00", "2026-03-11;Bank;Fee;-12,50", "2026-03-12;TOTAL;;-50,00"]
    expect(read(rows).lines).toEqual(["2026-03-10 60", "2026-03-11 -12.5", "2026-03-12 -50"])
  })
})

it("names each row once whose dates can be read in two ways", () => {
  const rows = ["Datum;Valuta;Text;Bedrag", "04/03/2026;05/03/2026;a;-1,00", "05/03/2026;05/03/2026;b;2,00"]
  expect(refusal(rows)).toMatchObject({ code: "ambiguous_date_format", details: { rows: [2, 3] } })
})

it("the zone in the name of a column of dates does not change its meaning", () => {
  const stripe = [
    "id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Transfer Date (UTC)",
    "txn_1,charge,ch_1,100.00,3.20,96.80,eur,2026-10-30 10:00,2026-11-02 00:00,INV-1,2026-11-03 00:00",
    "txn_2,refund,re_1,-20.00,0.00,-20.00,eur,2026-10-31 10:00,2026-11-04 00:00,INV-2,2026-11-05 00:00"
  ]
  expect(read(stripe).lines).toEqual(["2026-10-30 96.8", "2026-10-31 -20"])
  const [paid] = Result.getOrThrow(parsed(stripe)).statements.flatMap(({ lines }) => lines)
  expect(paid?.value_date).toBe("2026-11-02")
  const settled = [
    "Settlement Date (UTC),Operation date (UTC),Amount,Reference",
    "13-10-2026,12-10-2026,10.00,INV-1",
    "14-10-2026,13-10-2026,-3.00,rent"
  ]
  expect(read(settled).lines).toEqual(["2026-10-13 10", "2026-10-14 -3"])
  expect(read(["Date (UTC),Amount", "13-10-2026,10.00"]).lines).toEqual(["2026-10-13 10"])
})

it("the column that is simply called a date is the booking date, whatever other dates there are", () => {
  for (const other of ["Settlement Date", "Operation date", "Created"]) {
    const rows = [`Date,${other},Amount,Reference`, "13-10-2026,14-10-2026,10.00,INV-1"]
    expect(read(rows).lines).toEqual(["2026-10-13 10"])
  }
})
