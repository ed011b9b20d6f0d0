import type { Row } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import {
  cash_rounding_max,
  isTaxOnly,
  near,
  noTax,
  onlyTax,
  printedSum,
  severalRates,
  rounding_max,
  shiftedSum,
  singleRate,
  type TaxGroup,
  type Taxes
} from "./PrintedTaxes.ts"

const amounts_per_row_max = 6
const candidates_per_rate_max = 4
const rates_max = 5
/**
 * Maximum rounding difference of a tax that a till rounds line by line: in the smallest unit, and as a share of the
 * tax.
 */
const slack_max = 4
const slack_share_max = 0.03
const rate_max = 30_00
/** Maximum number of different net amounts, and of taxes, that are compared across rows. */
const stacked_max = 40

export const taxGroupsOf = (scan: Scan, rates: ReadonlySet<number>): ReadonlyArray<TaxGroup> => {
  const amounts = Map.groupBy(scan.amounts, ({ row }) => row)
  const printed = Map.groupBy(scan.percentages, ({ row }) => row)
  const figures = new Set(scan.amounts.filter(({ hasDecimals }) => hasDecimals).map(({ units }) => units))
  const groups = [...amounts].flatMap(([row, found]) => {
    // A row of returned goods has negative figures only.
    const sign = found.every((money) => money.units <= 0) ? -1 : 1
    const units = [...new Set(found.map((money) => sign * money.units))]
      .filter((value) => value >= 0)
      .slice(0, amounts_per_row_max)
    const rated = (printed.get(row) ?? []).map(({ rate }) => rate)
    const own = (rated.length > 0 ? rated : bareRates(row, scan.exponent)).filter((rate) => rate <= rate_max)
    const isTax = row.labels.some(({ concept }) => concept === "tax")
    const free = untaxed(
      found.map((money) => money.units),
      own
    )
    if (free !== undefined) return [free]
    const read = pairs(units).flatMap(([net, other]) => groupsOf(net, other, units, own, isTax, rates, figures))
    return best(read).map((group) => ({ ...group, net: sign * group.net, tax: sign * group.tax }))
  })
  return [...groups, ...stackedGroups(scan, rates)]
}

/**
 * Returns the numbers that may be tax rates without a percent sign, as in "17.500 66.37 11.63 78.00". Where amounts have
 * three decimals, such numbers are amounts.
 */
const bareRates = ({ words }: Row, exponent: number): ReadonlyArray<number> =>
  words.flatMap(({ text }) =>
    exponent !== 3 && /^\d{1,2}[.,]\d{3}$/.test(text) ? [Math.round(100 * Number(text.replace(",", ".")))] : []
  )

/** A net amount and its tax in different rows, connected by their sum or by the rate beside each of them. */
const stackedGroups = (scan: Scan, rates: ReadonlySet<number>): ReadonlyArray<TaxGroup> => {
  const figures = new Set(scan.amounts.map(({ units }) => units))
  const printed = Map.groupBy(
    scan.percentages.filter(({ rate }) => rate > 0 && rates.has(rate)),
    ({ rate }) => rate
  )
  const amountsOf = (of: (money: LabelledMoney) => boolean) =>
    scan.amounts.filter((money) => money.units > 0 && of(money)).slice(0, stacked_max)
  const nets = amountsOf(({ concepts }) => concepts.has("subtotal"))
  const taxes = amountsOf(isTaxOnly)
  return [...printed].flatMap(([rate, percentages]) => {
    const isBeside = ({ row }: LabelledMoney) => percentages.some((percentage) => percentage.row === row)
    return nets.flatMap((net) =>
      taxes
        .filter((tax) => near(tax.units, (net.units * rate) / 10_000))
        .filter((tax) => figures.has(net.units + tax.units) || (isBeside(net) && isBeside(tax)))
        .map((tax) => ({ rate, net: net.units, tax: tax.units, evidence: 3 }))
    )
  })
}

/** Recognizes an untaxed line of a tax table. In "0 % 29.43 0.00 29.43", the zero between equal figures shows this. */
const untaxed = (units: ReadonlyArray<number>, printed: ReadonlyArray<number>): TaxGroup | undefined => {
  if (!units.includes(0) || printed.some((rate) => rate > 0)) return undefined
  const positive = units.filter((value) => value > 0)
  const net = positive.find((value, index) => positive.indexOf(value) < index || printed.includes(0))
  return net === undefined ? undefined : { rate: 0, net, tax: 0, evidence: 4 + Number(printed.includes(0)) }
}

/** Finds the tax groups that two figures of a row can form: net and tax, gross and tax, or net and gross. */
const groupsOf = (
  larger: number,
  smaller: number,
  row: ReadonlyArray<number>,
  printed: ReadonlyArray<number>,
  isTax: boolean,
  known: ReadonlySet<number>,
  figures: ReadonlySet<number>
): ReadonlyArray<TaxGroup> => {
  const candidates = printed.length > 0 ? printed : [...known]
  // If a till rounds taxes line by line, their sum may differ by a few cents from the tax that follows from the rate.
  // This is accepted only if the rate is printed next to the figures.
  const slack = printed.length > 0 ? Math.max(1, Math.min(slack_max, smaller * slack_share_max)) : 1
  return candidates.flatMap((rate) => {
    if (rate === 0) return []
    const readings = [
      { net: larger, tax: smaller, fits: near(smaller, (larger * rate) / 10_000, slack) },
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
        row.filter((units) => [net, tax, net + tax].some((figure) => Math.abs(units - figure) <= 1)).length >= 3 ||
        [net, tax, net + tax].every((units) => figures.has(units))
      const evidence = 2 + (third ? 1 : 0) + (printed.length > 0 ? 1 : 0)
      return third || printed.length > 0 || isTax ? [{ rate, net, tax, evidence }] : []
    })
  })
}

const pairs = (units: ReadonlyArray<number>) =>
  units.flatMap((larger) =>
    units.flatMap((smaller) => (larger > smaller && smaller > 0 ? [[larger, smaller] as const] : []))
  )

const best = (groups: ReadonlyArray<TaxGroup>): ReadonlyArray<TaxGroup> => {
  const most = Math.max(0, ...groups.map(({ evidence }) => evidence))
  return groups.filter(({ evidence }) => evidence === most)
}

/** Adds up the tax lines of one rate, because some tills print one line for each item. */
const merged = (lines: ReadonlyArray<TaxGroup>): ReadonlyArray<TaxGroup> => {
  const [first, ...more] = lines
  if (first === undefined || first.rate === 0 || more.length === 0) return []
  return [more.reduce((sum, { net, tax }) => ({ ...sum, net: sum.net + net, tax: sum.tax + tax }), first)]
}

/** Adds up groups of different rates; each sum is a possible total of a complete table. */
export const grossSums = (groups: ReadonlyArray<TaxGroup>): ReadonlyMap<number, ReadonlyArray<TaxGroup>> => {
  const byRate = [...Map.groupBy(groups, ({ rate }) => rate).values()].slice(0, rates_max)
  let sums: ReadonlyArray<ReadonlyArray<TaxGroup>> = [[]]
  for (const same of byRate) {
    const distinct = same
      .filter((group, index) => same.findIndex(({ net, tax }) => net === group.net && tax === group.tax) === index)
      .toSorted((a, b) => b.evidence - a.evidence)
      .slice(0, candidates_per_rate_max)
    const ways = [...distinct, ...merged(distinct)]
    sums = sums.flatMap((sum) => [sum, ...ways.map((group) => [...sum, group])])
  }
  const byGross = new Map<number, ReadonlyArray<TaxGroup>>()
  for (const sum of sums) {
    const gross = sum.reduce((total, group) => total + group.net + group.tax, 0)
    if (sum.length > (byGross.get(gross)?.length ?? 0)) byGross.set(gross, sum)
  }
  return byGross
}

/** Returns the taxes in a total, which is negative if money was returned; undefined if some are missing. */
export const taxesOf = (
  scan: Scan,
  sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>,
  rates: ReadonlySet<number>,
  total: number
): Taxes | undefined => {
  if (total >= 0) return taxesPaid(scan, sums, rates, total)
  // A credit note has the signs of an invoice reversed.
  const reversed = { ...scan, amounts: scan.amounts.map((money) => ({ ...money, units: -money.units })) }
  const taxes = taxesPaid(reversed, grossSums(taxGroupsOf(reversed, rates)), rates, -total)
  return (
    taxes && {
      ...taxes,
      tax: -taxes.tax,
      groups: taxes.groups.map((group) => ({ ...group, net: -group.net, tax: -group.tax }))
    }
  )
}

/** A tax table may omit the tip, which is untaxed. */
const taxesPaid = (
  scan: Scan,
  sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>,
  rates: ReadonlySet<number>,
  total: number
): Taxes | undefined => {
  const tips = scan.amounts.filter(({ concepts, units }) => concepts.has("tip") && units > 0 && units < total)
  const bases = [...new Set([total, ...tips.map(({ units }) => total - units)])]
  return (
    firstOf(bases, (base) => tableOf(sums, base)) ??
    firstOf(bases, (base) => tableAndRest(scan, sums, base)) ??
    firstOf(bases, (base) => singleRate(scan, rates, base)) ??
    firstOf(bases, (base) => severalRates(scan, base)) ??
    firstOf(bases, (base) => printedSum(scan, base)) ??
    firstOf(bases, (base) => shiftedSum(scan, base)) ??
    noTax(scan, total) ??
    onlyTax(scan, rates, total)
  )
}

const firstOf = <A>(bases: ReadonlyArray<number>, find: (base: number) => A | undefined): A | undefined => {
  for (const base of bases) {
    const found = find(base)
    if (found !== undefined) return found
  }
  return undefined
}

const tableOf = (sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>, total: number): Taxes | undefined => {
  for (let offset = 0; offset <= cash_rounding_max; offset++) {
    const groups = [sums.get(total - offset), sums.get(total + offset)].find(
      (sum) => sum !== undefined && sum.length > 0
    )
    if (groups === undefined) continue
    const tax = groups.reduce((sum, group) => sum + group.tax, 0)
    return { groups: groups.some(({ net }) => net < 0) ? [] : fitted(groups, total), tax, proof: "table" }
  }
  return undefined
}

/** Adds a group for an untaxed amount, such as a deposit or a tourist tax, which the tax table lacks. */
const tableAndRest = (
  scan: Scan,
  sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>,
  total: number
): Taxes | undefined => {
  const zero = new Set(scan.percentages.filter(({ rate }) => rate === 0).map(({ row }) => row))
  const untaxed = scan.amounts.filter(
    ({ concepts, row, units }) =>
      (concepts.has("untaxed") || zero.has(row)) && units < total && (units > 0 || (units < 0 && zero.has(row)))
  )
  return firstOf([...new Set(untaxed.map(({ units }) => units))], (rest) => {
    const table = tableOf(sums, total - rest)
    // Returned goods may make the untaxed part negative, which no row of a tax table can be.
    if (table === undefined || rest < 0) return table && { ...table, groups: [] }
    return { ...table, groups: [...table.groups, { rate: 0, net: rest, tax: 0, evidence: 2 }] }
  })
}

/** Assigns rounding differences to the largest net amount, so that the groups add up to the total. */
const fitted = (groups: ReadonlyArray<TaxGroup>, total: number): ReadonlyArray<TaxGroup> => {
  const difference = total - groups.reduce((sum, group) => sum + group.net + group.tax, 0)
  const largest = groups.reduce((most, group) => (group.net > most.net ? group : most), groups[0] ?? { net: 0 })
  return difference === 0 || Math.abs(difference) > rounding_max
    ? groups
    : groups.map((group) => (group === largest ? { ...group, net: group.net + difference } : group))
}
