import { Schema } from "effect"
import { usualTaxRates } from "../../../billing/taxes/UsualTaxRates.ts"
import { CountryCode } from "../../../kernel/Country.ts"
import { folded } from "../scan/Keywords.ts"
import type { Row } from "../scan/Rows.ts"

/** Rates besides those of `usualTaxRates`: former rates, on old receipts, and rates of other countries. */
const otherRates: Readonly<Record<string, ReadonlyArray<string>>> = {
  AE: ["5"],
  AU: ["10"],
  CA: ["13", "15"],
  CH: ["7.7", "3.7", "2.5", "8", "3.8"],
  DE: ["16", "5"],
  EE: ["22", "20"],
  FI: ["24", "14"],
  IE: ["21"],
  LT: ["9"],
  LU: ["16", "13", "7"],
  MY: ["6", "8"],
  NL: ["6"],
  NZ: ["15"],
  RO: ["19", "9", "5"],
  SG: ["9", "8", "7"],
  SK: ["20", "10"],
  ZA: ["15", "14"],
  CZ: ["15", "10"]
}

const taxWords: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\b(?:btw|omzetbelasting)\b/, ["NL", "BE"]],
  [/\bmwst\b/, ["DE", "AT", "CH"]],
  [/\b(?:ust|umsatzsteuer)\b/, ["DE", "AT"]],
  [/\btva\b/, ["FR", "BE", "LU", "CH"]],
  [/\biva\b/, ["ES", "IT", "PT"]],
  [/\bvat\b/, ["GB", "IE"]],
  [/\bmoms\b/, ["SE", "DK"]],
  [/\bgst\b/, ["AU", "NZ", "SG", "MY"]],
  [/\bhst\b/, ["CA"]],
  [/\bche[- ]?\d{3}[.\d ]{6,9}/, ["CH"]]
]

const isCountry = Schema.is(CountryCode)

const hundredths = (percent: string) => Math.round(Number(percent) * 100)

const ratesOf = (country: string): ReadonlyArray<number> => [
  ...(isCountry(country) ? usualTaxRates(country).map(({ rate }) => hundredths(rate)) : []),
  ...(otherRates[country] ?? []).map(hundredths)
]

/** The rates of the organization's country, and of the countries whose name for the tax is on the receipt. */
export const knownRates = (rows: ReadonlyArray<Row>, country: string): ReadonlySet<number> => {
  const text = rows.map((row) => folded(row.text)).join("\n")
  const countries = taxWords.flatMap(([word, users]) => (word.test(text) ? users : []))
  return new Set([country, ...countries].flatMap(ratesOf))
}
