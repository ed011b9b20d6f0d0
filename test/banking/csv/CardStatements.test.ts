import { BigDecimal, Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseCsv } from "../../../src/banking/csv/Csv.ts"
import type { CsvMapping } from "../../../src/banking/csv/cells/CsvMapping.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"

const ours = "BE68539007547034"

interface Given {
  readonly iban?: string | null
  readonly mapping?: CsvMapping
}

const parsed = (rows: ReadonlyArray<string>, { iban = null, mapping }: Given = {}) =>
  parseCsv(`${rows.join("\n")}\n`, { currency: CurrencyCode.make("EUR"), iban, mapping })

const amounts = (rows: ReadonlyArray<string>, given?: Given) =>
  Result.getOrThrow(parsed(rows, given)).statements.flatMap(({ lines }) =>
    lines.map(({ amount }) => BigDecimal.format(amount))
  )

const refusal = (rows: ReadonlyArray<string>, given?: Given) => {
  const { code, details, message } = Result.getOrThrow(Result.flip(parsed(rows, given)))
  return { code, details, message }
}

const names = ["Card Holder", "Cardholder", "Card Number", "Kaarthouder", "Karteninhaber", "Titulaire de la carte"]

/** An export whose column of cards has these values, from the latest row to the oldest. */
const exported = (name: string, [received, sent]: readonly [string, string]) => [
  `Date,Description,Amount,Balance,${name}`,
  `31-10-2026,Received,100.00,150.00,${received}`,
  `30-10-2026,Sent,-20.00,50.00,${sent}`
]

const readings = [{ sign: { positive: "credit" } }, { sign: { positive: "debit" } }]

describe("parseCsv of a file with a column of cards", () => {
  it.each(names)("reads the signs if the column %s has no values", (name) => {
    expect(amounts(exported(name, ["", ""]))).toEqual(["100", "-20"])
  })

  it.each(names)("reads the signs if the bank account has an IBAN and only some rows have a %s", (name) => {
    expect(amounts(exported(name, ["", "A. Jansen"]), { iban: ours })).toEqual(["100", "-20"])
    const own = exported(name, ["", "A. Jansen"]).map((row, index) => `${row},${index === 0 ? "Own account" : ours}`)
    expect(amounts(own)).toEqual(["100", "-20"])
    const above = [`Account,${ours}`, ...exported(name, ["", "A. Jansen"])]
    expect(amounts(above)).toEqual(["100", "-20"])
  })

  it("follows the running balance of a bank account with an IBAN if all rows have a card", () => {
    const cards = exported("Cardholder", ["A. Jansen", "A. Jansen"])
    expect(amounts(cards, { iban: ours })).toEqual(["100", "-20"])
  })

  it("refuses a file that may be of a credit card, names the column, and offers both readings", () => {
    const file = exported("Cardholder", ["", "A. Jansen"])
    const { code, details, message } = refusal(file)
    expect(code).toBe("ambiguous_sign")
    expect(message).toContain('because it names "Cardholder"')
    expect(details).toMatchObject({ candidates: readings })
    expect(amounts(file, { mapping: { sign: { positive: "credit" } } })).toEqual(["100", "-20"])
    expect(amounts(file, { mapping: { sign: { positive: "debit" } } })).toEqual(["-100", "20"])
  })

  it("refuses a card statement without balances, also if the bank account has an IBAN", () => {
    const purchases = ["Date,Card number,Text,Amount", "15-01-2026,1234,Shop,12.50", "16-01-2026,1234,Refund,-3.00"]
    expect(refusal(purchases, { iban: ours }).details).toMatchObject({ candidates: readings })
    expect(refusal(purchases.slice(0, 2), { iban: ours }).code).toBe("ambiguous_sign")
    expect(refusal(["Credit card,1234", "Date,Text,Amount", "16-01-2026,Shop,3.00"], { iban: ours }).message).toContain(
      '"Credit card"'
    )
  })
})
