import type { Word } from "../../../platform/ocr/engines/Reading.ts"
import { markOf } from "../scan/CurrencyMarks.ts"
import type { Concept } from "../scan/Keywords.ts"
import { mean, type Row } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"

/** A line of a tax table; amounts are in the currency's smallest unit. */
export interface TaxGroup {
  /** The rate in hundredths of a percent. */
  readonly rate: number
  readonly net: number
  readonly tax: number
  /** Number of printed figures that confirm the group. */
  readonly evidence: number
}

export interface Taxes {
  readonly groups: ReadonlyArray<TaxGroup>
  readonly tax: number
  /** `table`: the groups add up to the total; `sum`: tax and net amount do; `label`: nothing confirms the only tax. */
  readonly proof: "table" | "sum" | "label"
}

/** Tolerance in the smallest unit: each figure may be rounded by half a unit, and tills round each line. */
export const rounding_max = 2
/** Tolerance in the smallest unit: where cash is rounded to 5 cents, a total changes by up to 4 cents. */
export const cash_rounding_max = 4

export const near = (units: number, exact: number, slack = 1) => Math.abs(units - exact) <= slack + exact / 20_000

/** True for an amount whose label names a tax, but neither a total nor an identifier. */
export const isTaxOnly = ({ concepts }: LabelledMoney) =>
  concepts.has("tax") && !concepts.has("due") && !concepts.has("identifier")

/**
 * A single tax of the whole total, as in "incl. 21 % VAT 20.55". The label, which may be misread, is not needed if the
 * rate is next to the amount and the net amount is printed. With label and rate, the amount may be one row off, or in
 * the row of another label.
 */
export const singleRate = (scan: Scan, rates: ReadonlySet<number>, total: number): Taxes | undefined => {
  const figures = new Set(scan.amounts.map(({ units }) => units))
  for (const money of scan.amounts) {
    const tax = taxIn(money, total)
    if (tax <= 0 || tax >= total) continue
    const printed = scan.percentages.filter(({ row }) => row === money.row).map(({ rate }) => rate)
    const labelled = scan.percentages.filter(({ row }) => namesTax(row) && isBeside(row, money.row))
    const isProven = printed.some((rate) => rates.has(rate)) && figures.has(total - tax)
    const isNamed = (mayBeTax(money) && !money.concepts.has("quantity")) || isProven
    const candidates = [...(isNamed ? (printed.length > 0 ? printed : rates) : []), ...labelled.map(({ rate }) => rate)]
    const rate = candidates.find((one) => one > 0 && near(tax, (total * one) / (10_000 + one)))
    if (rate === undefined) continue
    return {
      groups: [{ rate, net: total - tax, tax, evidence: 2 }],
      tax,
      proof: "table"
    }
  }
  return undefined
}

/** Drops the first digit of a tax that exceeds the total, because this digit is a misread currency sign. */
const taxIn = ({ concepts, row, to, units }: LabelledMoney, total: number): number => {
  const digits = /^[58](\d{1,4})[.,](\d\d)$/.exec(row.words[to]?.text ?? "")
  return units > total && concepts.has("tax") && digits !== null ? Number(`${digits[1]}${digits[2]}`) : units
}

/**
 * Handles "VAT 21 % 23.53, VAT 6 % 10.51" without net amounts: the net amounts that follow from the taxes must add up
 * to the total.
 */
export const severalRates = (scan: Scan, total: number): Taxes | undefined => {
  const amounts = Map.groupBy(scan.amounts.filter(isTaxOnly), ({ row }) => row)
  const byPass = Map.groupBy(scan.percentages, ({ row }) => row.pass)
  for (const [, printed] of byPass) {
    const taxes = [...Map.groupBy(printed, ({ row }) => row)].flatMap(([row, [percentage, ...more]]) => {
      const [money, ...others] = amounts.get(row) ?? []
      return percentage === undefined ||
        percentage.rate === 0 ||
        money === undefined ||
        more.length > 0 ||
        others.length > 0
        ? []
        : [{ rate: percentage.rate, tax: money.units }]
    })
    const gross = taxes.reduce((sum, { rate, tax }) => sum + (tax * (10_000 + rate)) / rate, 0)
    const error = taxes.reduce((sum, { rate }) => sum + (10_000 + rate) / rate / 2, rounding_max)
    const isDistinct = new Set(taxes.map(({ rate }) => rate)).size === taxes.length
    if (taxes.length > 1 && isDistinct && Math.abs(gross - total) <= error) {
      return { groups: [], tax: taxes.reduce((sum, { tax }) => sum + tax, 0), proof: "sum" }
    }
  }
  return undefined
}

/** Maximum tax as a share of the amount without it. */
export const tax_share_max = 0.3

/** Matches a tax label that is misread or joined with other letters, as in "Sales 1ax" or "TAX1AMT". */
const taxLike = /(?:^|[^a-z])[t17]ax|[t17]axe?s?\b|^(?:sales|tvq|tvh|tps)\b|^(?:gst|vat)in|^(?:gs[ti1l]|pst)/i

/** Coupons may pay everything but the tax, so that the subtotal is zero. */
const isTaxOf = (tax: number, net: number) => tax > 0 && (tax <= tax_share_max * net || net === 0)

const mayBeTax = (money: LabelledMoney) =>
  isTaxOnly(money) || (money.concepts.size === 0 && taxLike.test(money.row.text))

/**
 * Handles subtotals and taxes that are printed without rates. A service charge and a rounding may be part of the total,
 * too.
 */
export const printedSum = (scan: Scan, total: number): Taxes | undefined => {
  const unitsOf = (of: (money: LabelledMoney) => boolean) => [
    ...new Set(scan.amounts.filter(of).map(({ units }) => units))
  ]
  const subtotals = scan.amounts.filter(({ concepts, units }) => concepts.has("subtotal") && units < total)
  const services = [0, ...unitsOf(({ concepts, units }) => concepts.has("tip") && units > 0)]
  const roundings = unitsOf(({ concepts, units }) => concepts.has("rounding") && Math.abs(units) <= cash_rounding_max)
  const totals = new Set([0, ...roundings.flatMap((units) => [units, -units])].map((units) => total + units))
  // A restaurant may print a subtotal for food and another for drinks.
  const sum = [...new Set(subtotals.map(({ units }) => units))].reduce((all, units) => all + units, 0)
  const bases = subtotals.flatMap(({ row, units }) => [units, sum].map((base) => ({ row, units: base })))
  for (const { row, units } of bases) {
    const taxes = scan.amounts.filter((money) => mayBeTax(money) && money.units > 0 && money.row.pass === row.pass)
    const distinct = [...new Set(taxes.map((money) => money.units))]
    // Two taxes may be equal, such as the Indian CGST and SGST.
    const [tax] = [sumOf(taxes), distinct.reduce((sum, one) => sum + one, 0), ...distinct].filter((sum) =>
      services.some((service) => isTaxOf(sum, units + service) && totals.has(units + service + sum))
    )
    if (tax !== undefined) return { groups: [], tax, proof: "sum" }
  }
  return undefined
}

/** Maximum shift in row heights: on a tilted page, an amount may be in the row above or below its label. */
const shift_max = 1.5

const namesTax = ({ labels, text }: Row) => labels.some(({ concept }) => concept === "tax") || taxLike.test(text)

const isBeside = (label: Row, row: Row) =>
  label.page === row.page &&
  label.pass === row.pass &&
  Math.abs(middleOf(label) - middleOf(row)) < shift_max * row.height

/** Maximum number of taxes between a net amount and the total. */
const taxes_max = 3

/** Handles a net amount, its taxes and their sum in consecutive rows, when the label of a tax is one row off. */
export const shiftedSum = (scan: Scan, total: number): Taxes | undefined => {
  const labels = scan.rows.filter(namesTax)
  const amounts = scan.amounts.filter(({ hasDecimals, units }) => hasDecimals && Math.abs(units) > cash_rounding_max)
  for (const [index, net] of amounts.entries()) {
    for (let count = 1; count <= taxes_max; count++) {
      const taxes = amounts.slice(index + 1, index + 1 + count)
      const sum = amounts[index + 1 + count]
      const added = sumOf(taxes)
      // If some of the amounts are labelled as taxes, the others are charges. But if one is labelled as a subtotal, the
      // labels are one row off and decide nothing.
      const isShifted = taxes.some(({ concepts }) => concepts.has("subtotal"))
      const own = isShifted ? [] : taxes.filter(mayBeTax)
      // If two of the figures are in one row, they form a table and not a sum.
      const isColumn = new Set([net, ...taxes, sum].map((money) => money?.row)).size === count + 2
      const isSum = sum?.units === total && Math.abs(net.units + added - total) <= cash_rounding_max
      const isTax = taxes.every(({ units }) => units > 0 && units <= tax_share_max * net.units)
      const isLabelled = labels.some((row) => taxes.some((money) => isBeside(row, money.row)))
      if (isSum && isColumn && isTax && isLabelled)
        return { groups: [], tax: sumOf(own.length > 0 ? own : taxes), proof: "sum" }
    }
  }
  return undefined
}

const sumOf = (amounts: ReadonlyArray<LabelledMoney>) => amounts.reduce((sum, { units }) => sum + units, 0)

/**
 * Handles receipts that print "TAX 0.00". Every amount whose label names a tax must be zero, or the total if that is
 * printed beside the same word. No printed rate may suggest that a tax was missed.
 */
export const noTax = (scan: Scan, total: number): Taxes | undefined => {
  const taxes = scan.amounts.filter(isTaxOnly).map(({ units }) => units)
  // In "5 % GST on 0.00 0.00" the taxed amount is also zero.
  const zeros = scan.amounts.filter(({ units }) => units === 0).map(({ row }) => row)
  const isEmpty = (row: Row) => zeros.filter((other) => other === row).length > 1
  const isTaxed = scan.percentages.some(
    ({ rate, row }) => rate > 0 && !isEmpty(row) && row.labels.some(({ concept }) => concept === "tax")
  )
  return !isTaxed &&
    taxes.includes(0) &&
    taxes.every((units) => units === 0 || Math.abs(units - total) <= cash_rounding_max)
    ? { groups: [], tax: 0, proof: "sum" }
    : undefined
}

/**
 * Handles taxes that are printed without net amount and rates. Their rows must have only the name of the tax, or their
 * sum must fit a usual rate.
 */
export const onlyTax = (scan: Scan, rates: ReadonlySet<number>, total: number): Taxes | undefined => {
  const taxes = scan.amounts.filter(({ concepts, units }) => concepts.has("tax") && units !== 0)
  const distinct = [...Map.groupBy(taxes, nameAndUnits).values()].flatMap(([money]) => money?.units ?? [])
  const sum = distinct.reduce((all, units) => all + units, 0)
  // One of several figures may be the sum of the others.
  const tax = (distinct.length > 2 ? distinct.find((units) => 2 * units === sum) : undefined) ?? sum
  const isAlone = taxes.every(
    ({ concepts, from, hasDecimals, isRepaired, row, to }) =>
      hasDecimals && !isRepaired && [...concepts].every(isOfTax) && row.words.every(isTaxWord(row, from, to))
  )
  const isUsual = [...rates].some((rate) => rate > 0 && near(tax, (total * rate) / (10_000 + rate)))
  const isPlausible = distinct.length <= taxes_max && tax > 0 && tax <= tax_share_max * (total - tax)
  return (isAlone || isUsual) && isPlausible ? { groups: [], tax, proof: "label" } : undefined
}

/** Returns the key by which a tax that is printed twice counts once. Taxes with different names may be equally high. */
const nameAndUnits = ({ row, units }: LabelledMoney) => {
  const name = /[cs]gst|gst|pst|hst|qst/i.exec(row.text)?.[0].toLowerCase() ?? ""
  return `${name} ${units}`
}

const isOfTax = (concept: Concept) => concept === "tax" || concept === "inclusive" || concept === "total"

/** The words that a tax row may contain: amount, label, words before the label, rate, currency sign, single letter. */
const isTaxWord =
  ({ labels }: Row, from: number, to: number) =>
  ({ text }: Word, at: number) =>
    (at >= from && at <= to) ||
    (labels.some((label) => label.from <= at && at <= label.to) && !/\d/.test(text.replace(/\d+([.,]\d+)?%/, ""))) ||
    (/^\p{L}[\p{L}\d]*$/u.test(text) && labels.some((label) => at < label.from)) ||
    /^@?\d+([.,]\d+)?%$|^[^\p{L}\d]+$|^\p{L}$/u.test(text) ||
    markOf(text) !== undefined

const middleOf = ({ words }: Row): number => mean(words.map(({ y0, y1 }) => (y0 + y1) / 2))
