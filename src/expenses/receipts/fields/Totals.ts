import type { Concept } from "../scan/Keywords.ts"
import { mean, median } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import { computedTotals } from "./ComputedTotals.ts"
import type { Features } from "./Ranking.ts"
import { cash_rounding_max } from "./PrintedTaxes.ts"
import type { TotalFeature } from "./Weights.ts"

/** An amount that may be the total, with all its occurrences. */
export interface TotalCandidate {
  readonly units: number
  readonly amounts: ReadonlyArray<LabelledMoney>
  readonly features: Features<TotalFeature>
}

/** Maximum number of different amounts that are compared; the last ones of a receipt are preferred. */
const values_max = 200

/** Minimum number of amounts with decimals that excludes amounts without decimals as totals. */
const priced_min = 2

/** Sums of figures on the receipt; an amount that equals such a sum is rarely misread. */
export interface Arithmetic {
  readonly subtotalAndTax: ReadonlySet<number>
  readonly cashLessChange: ReadonlySet<number>
  readonly items: ReadonlySet<number>
  readonly taxTable: ReadonlySet<number>
  readonly netAndTax: ReadonlySet<number>
  readonly paid: ReadonlySet<number>
  readonly withTip: ReadonlySet<number>
  /** Net amounts: together with a tax on the receipt, each gives another amount of the receipt. */
  readonly net: ReadonlySet<number>
  /** Cash from which change was given, so that another amount of the receipt was paid. */
  readonly tendered: ReadonlySet<number>
}

/** Lists the candidates of the whole scan, or of one recognition pass. */
export const totalCandidates = (
  scan: Scan,
  sums: Arithmetic,
  rates: ReadonlySet<number>,
  pass?: number
): ReadonlyArray<TotalCandidate> => {
  const all = scan.amounts.filter(({ row, units }) => units !== 0 && (pass === undefined || row.pass === pass))
  const exact = all.filter(({ hasDecimals }) => hasDecimals)
  // If the prices have decimals, the total has them, too; other numbers are quantities or numbers of the receipt.
  const seen = exact.length >= priced_min ? exact : all
  const byValue = [...Map.groupBy(seen, ({ units }) => units)].slice(-values_max)
  const largest = Math.max(1, ...seen.filter(isPayable).map(({ units }) => units))
  const height = median(scan.rows.map((row) => row.height))
  const values = new Set(byValue.map(([units]) => units))
  const taxed = new Set(seen.filter(({ concepts }) => concepts.has("tax")).map(({ units }) => units))
  const lastTotal = Math.max(0, ...seen.filter(isClean).map(({ row }) => row.position))
  const printed = byValue.map(([units, amounts]) => {
    const rows = new Set(amounts.map(({ row }) => row))
    const perPass = Map.groupBy(rows, (row) => row.pass)
    const repeated = Math.max(...[...perPass.values()].map((of) => of.length))
    const says = (concept: Concept) => share(amounts, ({ concepts }) => concepts.has(concept))
    const best = amounts.find(isClean) ?? amounts[0]
    const taxes = [...rates].some((rate) => rate > 0 && taxed.has(Math.round((units * rate) / (10_000 + rate))))
    const features: Record<TotalFeature, number> = {
      bias: 1,
      computed: 0,
      due: Number(amounts.some((money) => isClean(money) && money.concepts.has("due"))),
      total: Number(amounts.some(isClean)),
      last_total: Number(amounts.some((money) => isClean(money) && money.row.position >= lastTotal - 0.005)),
      rounded: says("rounded"),
      subtotal: says("subtotal"),
      only_subtotal: Number(amounts.every((money) => money.concepts.has("subtotal"))),
      tax: says("tax"),
      cash: Number(amounts.some(({ concepts }) => concepts.has("cash"))),
      only_cash: Number(amounts.every(({ concepts }) => concepts.has("cash") && !concepts.has("total"))),
      card: Number(amounts.some(isPayment) && !sums.tendered.has(units)),
      change: says("change"),
      discount: says("discount"),
      quantity: says("quantity"),
      rounding: says("rounding"),
      tip: says("tip"),
      points: says("points"),
      equivalent: says("equivalent"),
      deposit: says("deposit"),
      identifier: says("identifier"),
      unlabelled: Number(amounts.every(({ concepts }) => concepts.size === 0)),
      largest: Number(units === largest),
      smaller: Math.min(3, Math.max(0, Math.log(largest / Math.max(1, units)))),
      larger_than_payable: Number(units > largest),
      repeated: Number(repeated >= 2),
      often_repeated: Number(repeated >= 3),
      large_type: Number(amounts.some(({ row }) => row.height > 1.25 * height)),
      position: best?.row.position ?? 0,
      early: Number((best?.row.position ?? 0) < 0.25),
      currency: Number(amounts.some(({ mark }) => mark !== undefined)),
      no_decimals: Number(scan.exponent > 0 && amounts.every(({ hasDecimals }) => !hasDecimals)),
      negative: Number(units < 0),
      repaired: Number(amounts.every(({ isRepaired }) => isRepaired)),
      joined: Number(amounts.every(({ isJoined }) => isJoined)),
      unit_price: share(amounts, ({ isUnitPrice }) => isUnitPrice),
      crowded: share(amounts, (money) => scan.percentages.some(({ row }) => row === money.row)),
      cash_less_change: Number(sums.cashLessChange.has(units)),
      subtotal_and_tax: Number(sums.subtotalAndTax.has(units)),
      items: Number(sums.items.has(units)),
      tax_table: Number(sums.taxTable.has(units)),
      net_and_tax: Number(sums.netAndTax.has(units)),
      tax_fits: Number(taxes),
      paid: Number(sums.paid.has(units)),
      with_tip: Number(sums.withTip.has(units)),
      inclusive: Number(amounts.some((money) => isClean(money) && money.concepts.has("inclusive"))),
      net: Number(sums.net.has(units)),
      tendered: Number(sums.tendered.has(units)),
      rounds_a_total: Number(units % 5 === 0 && roundsATotal(units, values, seen)),
      both_passes: Number(scan.passes > 1 && perPass.size > 1),
      confidence: mean(amounts.map((money) => money.confidence))
    }
    return { units, amounts, features }
  })
  return [...printed, ...computedTotals(scan, sums, values, pass)]
}

const excluded: ReadonlyArray<Concept> = [
  "subtotal",
  "tax",
  "discount",
  "points",
  "quantity",
  "change",
  "tip",
  "deposit",
  "equivalent",
  "identifier",
  "rounding"
]

/**
 * True for a row that is labelled as the total only. "20 % HT 10.00 TVA 2.00 TTC 12.00" is a line of a tax table, and
 * "Total 6 % supplies" the sum of one rate.
 */
export const isClean = ({ concepts, row }: LabelledMoney) =>
  (concepts.has("due") || concepts.has("total") || concepts.has("rounded")) &&
  !excluded.some((concept) => concepts.has(concept)) &&
  !(row.text.includes("%") && !concepts.has("inclusive") && !concepts.has("due") && !concepts.has("rounded")) &&
  !(row.text.includes("%") && (row.text.match(decimals) ?? []).length > 2)

const decimals = /\d[.,]\d\d(?![\d%])/g

/** True for a payment other than cash, i.e. the amount that left the account. */
export const isPayment = ({ concepts }: LabelledMoney) =>
  (concepts.has("card") || concepts.has("paid")) && !excluded.some((concept) => concepts.has(concept))

/** False for cash tendered, savings, and balances of accounts. */
const isPayable = ({ concepts, units }: LabelledMoney) =>
  units > 0 &&
  !(["cash", "change", "points", "discount", "equivalent", "identifier"] as const).some((concept) =>
    concepts.has(concept)
  )

const roundsATotal = (units: number, values: ReadonlySet<number>, seen: ReadonlyArray<LabelledMoney>) =>
  Array.from({ length: 2 * cash_rounding_max + 1 }, (_, step) => units + step - cash_rounding_max).some(
    (value) =>
      value !== units &&
      value % 5 !== 0 &&
      values.has(value) &&
      seen.some((money) => money.units === value && isClean(money))
  )

const share = (amounts: ReadonlyArray<LabelledMoney>, holds: (money: LabelledMoney) => boolean) =>
  amounts.filter(holds).length / amounts.length

/** Computes the sums of a scan; `taxTable` holds the gross sums of its tax groups. */
export const arithmeticOf = (scan: Scan, taxTable: Iterable<number>): Arithmetic => {
  const of = (...concepts: ReadonlyArray<Concept>) =>
    distinct(scan.amounts.filter((money) => concepts.some((concept) => money.concepts.has(concept))))
  const items = itemSums(scan)
  const subtotals = [...of("subtotal"), ...netsAboveTax(scan, items)]
  const taxes = distinct(scan.amounts.filter(({ concepts }) => concepts.has("tax") && !concepts.has("due")))
  const totals = distinct(scan.amounts.filter(isClean))
  const tendered = tenderedAmounts(scan)
  const service = sums(subtotals, of("tip"), (net, tip) => (net > tip ? net + tip : 0))
  const withService = [...subtotals, ...service].slice(0, 2 * pairs_max)
  return {
    subtotalAndTax: roundedBy(
      scan,
      sums(withService, taxes, (net, tax) => (net > tax ? net + tax : 0))
    ),
    cashLessChange: sums([...of("cash"), ...tendered], of("change"), (cash, change) => cash - change),
    items,
    taxTable: new Set(taxTable),
    netAndTax: threes(scan),
    // A till prints "Electronic payment 0.00" when the customer paid cash.
    paid: new Set(
      scan.amounts
        .filter((money) => isPayment(money) && money.units > 0 && !tendered.has(money.units))
        .map(({ units }) => units)
    ),
    withTip: sums([...totals, ...subtotals], of("tip"), (total, tip) => total + tip),
    net: netAmounts(scan),
    tendered
  }
}

/** Returns unlabelled amounts above a tax that are the sum of the items. */
const netsAboveTax = ({ amounts }: Scan, items: ReadonlySet<number>): ReadonlyArray<number> =>
  amounts.flatMap(({ concepts, units }, index) => {
    const isNet =
      concepts.size === 0 && (items.has(units) || amounts.slice(0, index).some((one) => one.units === units))
    const next = amounts[index + 1]?.concepts
    return isNet && next?.has("tax") === true && !next.has("inclusive") ? [units] : []
  })

/** Adds the sums that a printed rounding of a few cents turns into the amount to pay. */
const roundedBy = (scan: Scan, sums: ReadonlySet<number>): ReadonlySet<number> => {
  const roundings = distinct(scan.amounts.filter(({ concepts }) => concepts.has("rounding"))).filter(
    (units) => units <= cash_rounding_max
  )
  return new Set([...sums].flatMap((sum) => [sum, ...roundings.flatMap((units) => [sum - units, sum + units])]))
}

/** Maximum tax as a share of the net amount. */
const tax_share_max = 0.3

const isPaidIn = ({ concepts }: LabelledMoney) =>
  concepts.has("cash") || concepts.has("change") || concepts.has("paid") || concepts.has("tip")

/** Returns amounts that, together with a printed tax, give another amount that is not a payment. */
const netAmounts = (scan: Scan): ReadonlySet<number> => {
  const gross = new Set(scan.amounts.filter((money) => !isPaidIn(money)).map(({ units }) => units))
  const taxes = scan.amounts.filter(({ concepts, units }) => concepts.has("tax") && units > 0)
  const isTaxOf = (net: number) => (tax: LabelledMoney) =>
    tax.units > 0 && tax.units <= net * tax_share_max && gross.has(net + tax.units)
  const net = scan.amounts.filter(
    ({ row, units }) =>
      taxes.some(isTaxOf(units)) || scan.amounts.some((money) => money.row === row && isTaxOf(units)(money))
  )
  return new Set(net.map(({ units }) => units))
}

const tenderedAmounts = (scan: Scan): ReadonlySet<number> => {
  const values = new Set(scan.amounts.map(({ units }) => units))
  const totals = scan.amounts.filter(isClean).map(({ units }) => units)
  const change = scan.amounts.filter(({ concepts, units }) => concepts.has("change") && units > 0)
  const given = scan.amounts.filter((money) => isPaidIn(money) && !money.concepts.has("change"))
  // Cash is rounded, so the paid amount may differ from the total by a few cents.
  const isTotal = (paid: number) =>
    values.has(paid) || (paid % 5 === 0 && totals.some((total) => Math.abs(total - paid) <= cash_rounding_max))
  return new Set(
    given.filter(({ units }) => change.some((back) => isTotal(units - back.units))).map(({ units }) => units)
  )
}

const pairs_max = 12

const distinct = (amounts: ReadonlyArray<LabelledMoney>) =>
  [...new Set(amounts.map(({ units }) => Math.abs(units)))].filter((units) => units > 0).slice(0, pairs_max)

const sums = (left: ReadonlyArray<number>, right: ReadonlyArray<number>, sum: (a: number, b: number) => number) =>
  new Set(left.flatMap((a) => right.map((b) => sum(a, b))).filter((units) => units > 0))

const summary: ReadonlyArray<Concept> = [
  "due",
  "total",
  "subtotal",
  "tax",
  "cash",
  "card",
  "paid",
  "change",
  "points",
  "identifier",
  "rounded",
  "equivalent",
  "tip"
]

/** Running sums of the last column above the summary; discounts are negative items. */
const itemSums = (scan: Scan): ReadonlySet<number> => {
  const found = new Set<number>()
  for (let pass = 0; pass < scan.passes; pass++) {
    const rows = Map.groupBy(
      scan.amounts.filter(({ row }) => row.pass === pass),
      ({ row }) => row
    )
    let items = 0
    let sum = 0
    for (const [row, amounts] of rows) {
      if (row.labels.some(({ concept }) => summary.includes(concept)) && items > 0) continue
      const price = amounts.findLast(({ isJoined }) => !isJoined)
      if (price === undefined || price.isUnitPrice || price.concepts.has("quantity")) continue
      sum += price.units
      items++
      if (items >= 2 && sum > 0) found.add(sum)
    }
  }
  return found
}

/** Finds rows whose figures add up, such as "97.85 20.55 118.40". */
const threes = (scan: Scan): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [, amounts] of Map.groupBy(scan.amounts, ({ row }) => row)) {
    const units = amounts.map((money) => money.units).slice(0, pairs_max)
    for (const [index, net] of units.entries()) {
      for (const tax of units.slice(index + 1)) {
        if (net > 0 && tax > 0 && net !== tax && units.includes(net + tax)) found.add(net + tax)
      }
    }
  }
  return found
}
