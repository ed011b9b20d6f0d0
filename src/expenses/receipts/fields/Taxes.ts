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
  /** True when every group of the table was read, and the groups add up to the total. */
  readonly isComplete: boolean
}

const amounts_per_row_max = 6
const candidates_per_rate_max = 4
const rates_max = 5
const rate_max = 30_00
/** Each figure may be rounded by half a unit, and cash registers round each line. */
const rounding_max = 2
/** Highest cash rounding difference: rounding to 5 cents changes a total by up to 4 in some countries. */
export const cash_rounding_max = 4

/** Finds the lines of a tax table that their own figures confirm. */
export const taxGroupsOf = (scan: Scan, rates: ReadonlySet<number>): ReadonlyArray<TaxGroup> => {
  const amounts = Map.groupBy(scan.amounts, ({ row }) => row)
  const printed = Map.groupBy(scan.percentages, ({ row }) => row)
  const groups = [...amounts].flatMap(([row, found]) => {
    const units = [...new Set(found.map((money) => money.units))]
      .filter((value) => value >= 0)
      .slice(0, amounts_per_row_max)
    const own = (printed.get(row) ?? []).map(({ rate }) => rate).filter((rate) => rate <= rate_max)
    const isTax = row.labels.some(({ concept }) => concept === "tax")
    const free = untaxed(
      found.map((money) => money.units),
      own
    )
    if (free !== undefined) return [free]
    return best(pairs(units).flatMap(([net, other]) => groupsOf(net, other, units, own, isTax, rates)))
  })
  return groups
}

/** In "0 % 29.43 0.00 29.43" the zero between equal figures shows that this is a line of the tax table. */
const untaxed = (units: ReadonlyArray<number>, printed: ReadonlyArray<number>): TaxGroup | undefined => {
  if (!units.includes(0) || printed.some((rate) => rate > 0)) return undefined
  const positive = units.filter((value) => value > 0)
  const net = positive.find((value, index) => positive.indexOf(value) < index || printed.includes(0))
  return net === undefined ? undefined : { rate: 0, net, tax: 0, evidence: 4 }
}

/** Two figures of a row can be net and tax, gross and tax, or net and gross. */
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

/** Adds up groups of different rates; each sum is a total that a complete table may confirm. */
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

/** The tax in a total; undefined rather than incomplete. A tax table may not include the tip, which is untaxed. */
export const taxesOf = (
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
    noTax(scan)
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
    return { groups: fitted(groups, total), tax: groups.reduce((sum, group) => sum + group.tax, 0), isComplete: true }
  }
  return undefined
}

/** Untaxed amounts, such as a deposit or a tourist tax, are missing from the tax table. */
const tableAndRest = (
  scan: Scan,
  sums: ReadonlyMap<number, ReadonlyArray<TaxGroup>>,
  total: number
): Taxes | undefined => {
  const untaxed = scan.amounts.filter(({ concepts, units }) => concepts.has("untaxed") && units > 0 && units < total)
  return firstOf([...new Set(untaxed.map(({ units }) => units))], (rest) => {
    const table = tableOf(sums, total - rest)
    return table && { ...table, groups: [...table.groups, { rate: 0, net: rest, tax: 0, evidence: 2 }] }
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

const isTaxOnly = ({ concepts }: LabelledMoney) =>
  concepts.has("tax") && !concepts.has("due") && !concepts.has("identifier")

/**
 * Finds a single tax of the whole total, as in "incl. 21 % VAT 20.55". The label, which may be misread, is not needed
 * if the rate is next to the amount and the net amount is printed, too.
 */
const singleRate = (scan: Scan, rates: ReadonlySet<number>, total: number): Taxes | undefined => {
  const figures = new Set(scan.amounts.map(({ units }) => units))
  for (const money of scan.amounts) {
    if (money.units <= 0 || money.units >= total) continue
    const printed = scan.percentages.filter(({ row }) => row === money.row).map(({ rate }) => rate)
    const isProven = printed.some((rate) => rates.has(rate)) && figures.has(total - money.units)
    if (!isTaxOnly(money) && !isProven) continue
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

/** Handles "VAT 21 % 23.53, VAT 6 % 10.51" without net amounts: those that the taxes imply must add up to the total. */
const severalRates = (scan: Scan, total: number): Taxes | undefined => {
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
      return { groups: [], tax: taxes.reduce((sum, { tax }) => sum + tax, 0), isComplete: false }
    }
  }
  return undefined
}

/** Handles a subtotal and taxes without their rates. */
const printedSum = (scan: Scan, total: number): Taxes | undefined => {
  const subtotals = scan.amounts.filter(({ concepts, units }) => concepts.has("subtotal") && units < total)
  for (const { row, units } of subtotals) {
    const taxes = scan.amounts.filter((money) => isTaxOnly(money) && money.units > 0 && money.row.pass === row.pass)
    const distinct = [...new Set(taxes.map((money) => money.units))]
    const [tax] = [distinct.reduce((sum, one) => sum + one, 0), ...distinct].filter((sum) => units + sum === total)
    if (tax !== undefined) return { groups: [], tax, isComplete: false }
  }
  return undefined
}

/** Handles "TAX 0.00": all printed taxes are zero, and no rate suggests that a tax was missed. */
const noTax = (scan: Scan): Taxes | undefined => {
  const taxes = scan.amounts.filter(isTaxOnly)
  const isTaxed = scan.percentages.some(
    ({ rate, row }) => rate > 0 && row.labels.some(({ concept }) => concept === "tax")
  )
  return !isTaxed && taxes.length > 0 && taxes.every(({ units }) => units === 0)
    ? { groups: [], tax: 0, isComplete: false }
    : undefined
}
