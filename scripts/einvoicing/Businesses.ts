import { CurrencyCode } from "../../src/kernel/Currency.ts"

/** A business with valid identifiers and an electronic address. */
export interface Business {
  readonly country: string
  readonly currency: CurrencyCode
  readonly tax_number: string
  readonly registration_number: string | null
  readonly address: { readonly scheme: string; readonly value: string }
  readonly rates: ReadonlyArray<string>
}

type Row = readonly [country: string, tax: string, registration: string | null, address: string, rates: string]

const rows: ReadonlyArray<Row> = [
  ["BE", "BE0202239951", "0202.239.951", "0208:0202239951", "21 12 6"],
  ["NL", "NL004495445B01", "17001910", "0106:17001910", "21 9"],
  ["LU", "LU15027442", "B123456", "9938:LU15027442", "17 14 8 3"],
  ["DE", "DE136695976", "HRB 12345", "9930:DE136695976", "19 7"],
  ["SE", "SE556036079301", "556036-0793", "0007:5560360793", "25 12 6"],
  ["NO", "NO923609016MVA", "923609016", "0192:923609016", "25 15 12"],
  ["DK", "DK13585628", "13585628", "0184:13585628", "25"],
  ["FI", "FI20774740", "2077474-0", "0216:003720774740", "25.5 13.5 10"],
  ["IE", "IE6433435F", "512345", "9935:IE6433435F", "23 13.5 9"],
  ["AT", "ATU13585627", "FN 123456 a", "9914:ATU13585627", "20 13 10"],
  ["FR", "FR40303265045", "303 265 045", "0009:73282932000074", "20 10 5.5 2.1"],
  ["IT", "IT00743110157", null, "0211:IT00743110157", "22 10 4"],
  ["ES", "ESB58378431", "B58378431", "9920:ESB58378431", "21 10 4"]
]

const currencies: Readonly<Record<string, string>> = { SE: "SEK", NO: "NOK", DK: "DKK" }

export const businesses: ReadonlyArray<Business> = rows.map(
  ([country, tax_number, registration_number, address, rates]) => {
    const [scheme = "", value = ""] = address.split(":")
    return {
      country,
      currency: CurrencyCode.make(currencies[country] ?? "EUR"),
      tax_number,
      registration_number,
      address: { scheme, value },
      rates: rates.split(" ")
    }
  }
)
