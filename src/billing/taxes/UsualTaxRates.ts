import { BigDecimal } from "effect"
import type { CountryCode } from "../../kernel/Country.ts"
import type { TaxCategory } from "../lines/Tax.ts"

interface UsualTaxRate {
  readonly name: string
  /** The rate in percent, as decimal text. */
  readonly rate: string
  readonly category: TaxCategory
}

/** The name of value added tax in the country's documents. */
const names: Readonly<Record<string, string>> = {
  AT: "USt",
  BE: "BTW/TVA",
  BG: "ДДС",
  CH: "MWST",
  CZ: "DPH",
  DE: "USt",
  DK: "Moms",
  EE: "Km",
  ES: "IVA",
  FI: "ALV",
  FR: "TVA",
  GR: "ΦΠΑ",
  HR: "PDV",
  HU: "ÁFA",
  IT: "IVA",
  LT: "PVM",
  LU: "TVA",
  LV: "PVN",
  MX: "IVA",
  NL: "BTW",
  NO: "MVA",
  PL: "VAT",
  PT: "IVA",
  RO: "TVA",
  SE: "Moms",
  SI: "DDV",
  SK: "DPH",
  JP: "消費税"
}

/**
 * The standard rate, then the reduced rates, in percent, from the European Commission, "VAT rates applied in the Member
 * States", and the tax authorities of other countries. They are only a starting point.
 */
const percentages: Readonly<Record<string, ReadonlyArray<string>>> = {
  AT: ["20", "13", "10", "4.9"],
  BE: ["21", "12", "6"],
  BG: ["20", "9"],
  CH: ["8.1", "3.8", "2.6"],
  CY: ["19", "9", "5", "3"],
  CZ: ["21", "12"],
  DE: ["19", "7"],
  DK: ["25"],
  EE: ["24", "13", "9"],
  ES: ["21", "10", "4"],
  FI: ["25.5", "13.5", "10"],
  FR: ["20", "10", "5.5", "2.1"],
  GB: ["20", "5"],
  GR: ["24", "13", "6"],
  HR: ["25", "13", "5"],
  HU: ["27", "18", "5"],
  IE: ["23", "13.5", "9", "4.8"],
  IT: ["22", "10", "5", "4"],
  JP: ["10", "8"],
  LT: ["21", "12", "5"],
  LU: ["17", "14", "8", "3"],
  LV: ["21", "12", "5"],
  MT: ["18", "12", "7", "5"],
  MX: ["16", "8"],
  NL: ["21", "9"],
  NO: ["25", "15", "12"],
  PL: ["23", "8", "5"],
  PT: ["23", "13", "6"],
  RO: ["21", "11"],
  SE: ["25", "12", "6"],
  SI: ["22", "9.5", "5"],
  SK: ["23", "19", "5"]
}

/** Returns the initial rates of a new organization, the default rate first; none for an unknown country. */
export const usualTaxRates = (country: CountryCode): ReadonlyArray<UsualTaxRate> => {
  const rates = percentages[country]
  if (rates === undefined) return []
  const name = names[country] ?? "VAT"
  const percent = percentIn(country)
  const taxed = rates.map((rate) => ({ name: `${name} ${percent(rate)}`, rate, category: "S" as const }))
  if (country === without_zero_rate) return taxed
  return [...taxed, { name: `${name} ${percent("0")}`, rate: "0", category: "Z" }]
}

/** In Italy, a line without VAT must name the legal reason (natura), which a zero rate cannot do. */
const without_zero_rate = "IT"

/** Formats a percentage as the country's main language does, but with an ordinary space, which users can type. */
const percentIn = (country: string) => {
  const locale = new Intl.Locale(`und-${country}`).maximize()
  const format = new Intl.NumberFormat(locale, { style: "unit", unit: "percent", maximumFractionDigits: 2 })
  return (rate: string) => format.format(Number(rate)).replaceAll(/[\u00a0\u202f]/g, " ")
}

/**
 * Returns the name of the tax in the name of an initial rate: "TVA" for "TVA 2,1 %" (or "TVA 2.1%" of older versions),
 * so that a document can write the percentage in its own language. Any other name was chosen by a user.
 */
export const taxInUsualName = (name: string, rate: BigDecimal.BigDecimal): string | undefined => {
  const [, tax = "", percent = ""] = /^(\S+) (\d+(?:[.,]\d+)?) ?%$/.exec(name) ?? []
  return tax_names.has(tax) && percent.replace(",", ".") === BigDecimal.format(rate) ? tax : undefined
}
const tax_names = new Set([...Object.values(names), "VAT"])
