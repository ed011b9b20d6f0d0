import { Schema } from "effect"
import { usualTaxRates } from "../../../billing/taxes/UsualTaxRates.ts"
import { CountryCode } from "../../../kernel/Country.ts"
import { folded } from "./Keywords.ts"
import type { LabelledMoney, Scan } from "./Scan.ts"
import type { Row } from "./Rows.ts"

/** One line of a tax table. Amounts in the currency's smallest unit. */
export interface TaxGroup {
  /** Hundredths of a percent. */
  readonly rate: number
  readonly net: number
  readonly tax: number
  /** How many printed figures agree on it. */
  readonly evidence: number
}

export interface Taxes {
  readonly groups: ReadonlyArray<TaxGroup>
  readonly tax: number
  /** Every group of the table was read and they sum to the total. */
  readonly isComplete: boolean
}

const amounts_per_row_max = 6
const candidates_per_rate_max = 4
const rates_max = 5
const rate_max = 30_00
/** Each rounded figure may be half a unit off, and cash registers round per line. */
const rounding_max = 2
/** Totals in cash are rounded to 5 cents, up to 4 in some countries' practice. */
const cash_rounding_max = 4

/** Rates before they were changed: receipts are older than today. */
const pastRates: Readonly<Record<string, ReadonlyArray<string>>> = {
  CH: ["7.7", "3.7", "2.5", "8", "3.8", "2.5"],
  DE: ["16", "5"],
  EE: ["22", "20"],
  FI: ["24"],
  IE: ["21"],
  LU: ["16", "13", "7"],
  NL: ["6"],
  RO: ["19", "9", "5"],
  SK: ["20", "10"],
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
  [/\bche[- ]?\d{3}[.\d ]{6,9}/, ["CH"]]
]

const isCountry = Schema.is(CountryCode)

const hundredths = (percent: string) => Math.round(Number(percent) * 100)

const ratesOf = (country: string): ReadonlyArray<number> => [
  ...(isCountry(country) ? usualTaxRates(country).map(({ rate }) => hundredths(rate)) : []),
  ...(pastRates[country] ?? []).map(hundredths)
]

/** The rates of the organization's country and of those whose name for the tax is on the receipt. */
export const knownRates = (rows: ReadonlyArray<Row>, country: string): ReadonlySet<number> => {
  const text = rows.map((row) => folded(row.text)).join("\n")
  const countries = taxWords.flatMap(([word, users]) => (word.test(text) ? users : []))
  return new Set([country, ...countries].flatMap(ratesOf))
}

/** Every line of a tax table that its own figures prove. */
export const taxGroupsOf = (scan: Scan, rates: ReadonlySet<number>): ReadonlyArray<TaxGroup> => {
  const amounts = Map.groupBy(scan.amounts, ({ row }) => row)
  const printed = Map.groupBy(scan.percentages, ({ row }) => row)
  const groups = [...amounts].flatMap(([row, found]) => {
    const units = [...new Set(found.map((money) => money.units))]
      .filter((value) => value >= 0)
      .slice(0, amounts_per_row_max)
    const own = (printed.get(row) ?? []).map(({ rate }) => rate).filter((rate) => rate <= rate_max)
    const isTax = row.labels.some(({ concept }) => concept === "tax")
    return best(pairs(units).flatMap(([net, other]) => groupsOf(net, other, units, own, isTax, rates)))
  })
  return groups
}

/** What two figures of a row can be: net and tax, or gross and tax, or net and gross. */
const groupsOf = (
  larger: number,
  smaller: number,
  row: ReadonlyArray<number>,
  printed: ReadonlyArray<number>,
  isTax: boolean,
  known: ReadonlySet<number>
): ReadonlyArray<TaxGroup> => {
  const candidates = printed.length > 0 ? printed : [...known]
  return candidates.flatMap((rate) => {
    if (rate === 0) return []
    const readings = [
      { net: larger, tax: smaller, fits: near(smaller, (larger * rate) / 10_000) },
      { net: larger - smaller, tax: smaller, fits: near(smaller, (larger * rate) / (10_000 + rate)) },
      {
        net: smaller,
        tax: larger - smaller,
        fits: near(larger, (smaller * (10_000 + rate)) / 10_000) && printed.length > 0
      }
    ]
    return readings.flatMap(({ fits, net, tax }) => {
      if (!fits || tax <= 0 || net <= tax) return []
      const third =
        row.filter((units) => [net, tax, net + tax].some((figure) => Math.abs(units - figure) <= 1)).length >= 3
      const evidence = 2 + (third ? 1 : 0) + (printed.length > 0 ? 1 : 0)
      return third || printed.length > 0 || isTax ? [{ rate, net, tax, evidence }] : []
    })
  })
}

const pairs = (units: ReadonlyArray<number>) =>
  units.flatMap((larger) =>
    units.flatMap((smaller) => (larger > smaller && smaller > 0 ? [[larger, smaller] as const] : []))
  )

const near = (units: number, exact: number) => Math.abs(units - exact) <= 1 + exact / 20_000

const best = (groups: ReadonlyArray<TaxGroup>): ReadonlyArray<TaxGroup> => {
  const most = Math.max(0, ...groups.map(({ evidence }) => evidence))
  return groups.filter(({ evidence }) => evidence === most)
}

/** Sums of groups of different rates: what a complete table says the total is. */
export const grossSums = (groups: ReadonlyArray<TaxGroup>): ReadonlyMap<number, ReadonlyArray<TaxGroup>> => {
  const byRate = [...Map.groupBy(groups, ({ rate }) => rate).values()].slice(0, rates_max)
  let sums: ReadonlyArray<ReadonlyArray<TaxGroup>> = [[]]
  for (const same of byRate) {
    const distinct = same
      .filter((group, index) => same.findIndex(({ net, tax }) => net === group.net && tax === group.tax) === index)
      .toSorted((a, b) => b.evidence - a.evidence)
      .slice(0, candidates_per_rate_max)
    sums = sums.flatMap((sum) => [sum, ...distinct.map((group) => [...sum, group])])
  }
  const byGross = new Map<number, ReadonlyArray<TaxGroup>>()
  for (const sum of sums) {
    const gross = sum.reduce((total, group) => total + group.net + group.tax, 0)
    if (sum.length > (byGross.get(gross)?.length ?? 0)) byGross.set(gross, sum)
  }
  return byGross
}

/** The tax in a total; none rather than a part of it. */
export const taxesOf = (
  scan: Scan,
  sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>,
  rates: ReadonlySet<number>,
  total: number
): Taxes | undefined => {
  const offsets = Array.from({ length: 2 * cash_rounding_max + 1 }, (_, step) => step - cash_rounding_max)
  const nearest = offsets.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const groups = nearest.map((offset) => sums.get(total + offset)).find((sum) => sum !== undefined && sum.length > 0)
  if (groups !== undefined) {
    return { groups: fitted(groups, total), tax: groups.reduce((sum, group) => sum + group.tax, 0), isComplete: true }
  }
  return singleRate(scan, rates, total) ?? printedSum(scan, total)
}

/** Rounding differences go to the largest net amount, so that the groups sum to the total. */
const fitted = (groups: ReadonlyArray<TaxGroup>, total: number): ReadonlyArray<TaxGroup> => {
  const difference = total - groups.reduce((sum, group) => sum + group.net + group.tax, 0)
  const largest = groups.reduce((most, group) => (group.net > most.net ? group : most), groups[0] ?? { net: 0 })
  return difference === 0 || Math.abs(difference) > rounding_max
    ? groups
    : groups.map((group) => (group === largest ? { ...group, net: group.net + difference } : group))
}

const isTaxOnly = ({ concepts }: LabelledMoney) =>
  concepts.has("tax") && !concepts.has("due") && !concepts.has("identifier")

/** "incl. 21 % VAT 20.55": a tax figure that one rate makes of the whole total. */
const singleRate = (scan: Scan, rates: ReadonlySet<number>, total: number): Taxes | undefined => {
  const labelled = scan.amounts.filter((money) => isTaxOnly(money) && money.units > 0 && money.units < total)
  for (const money of labelled) {
    const printed = scan.percentages.filter(({ row }) => row === money.row).map(({ rate }) => rate)
    const candidates = printed.length > 0 ? printed : [...rates]
    const rate = candidates.find((one) => one > 0 && near(money.units, (total * one) / (10_000 + one)))
    if (rate === undefined) continue
    return {
      groups: [{ rate, net: total - money.units, tax: money.units, evidence: 2 }],
      tax: money.units,
      isComplete: true
    }
  }
  return undefined
}

/** Subtotal and tax printed apart, at rates that nothing tells. */
const printedSum = (scan: Scan, total: number): Taxes | undefined => {
  const taxes = scan.amounts.filter((money) => isTaxOnly(money) && money.units > 0)
  const nets = new Set(scan.amounts.filter(({ concepts }) => concepts.has("subtotal")).map(({ units }) => units))
  const found = taxes.find((money) => nets.has(total - money.units))
  return found === undefined ? undefined : { groups: [], tax: found.units, isComplete: false }
}
