import type { Concept } from "../scan/Keywords.ts"
import { mean, median } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import type { Arithmetic } from "./Arithmetic.ts"
import { computedTotals } from "./ComputedTotals.ts"
import type { Features } from "./Ranking.ts"
import { cash_rounding_max } from "../taxes/PrintedTaxes.ts"
import type { TotalFeature } from "./Weights.ts"

/** An amount that may be the total, with all its occurrences. */
export interface TotalCandidate {
  readonly units: number
  readonly amounts: ReadonlyArray<LabelledMoney>
  readonly features: Features<TotalFeature>
}

/** Maximum number of different amounts that are compared; the last ones of a receipt are preferred. */
const values_max = 200

/** If at least this number of amounts have decimals, an amount without decimals cannot be the total. */
const priced_min = 2

/** The amounts of a receipt, with which each of them is compared. */
interface Compared {
  readonly scan: Scan
  readonly sums: Arithmetic
  readonly rates: ReadonlySet<number>
  readonly seen: ReadonlyArray<LabelledMoney>
  readonly values: ReadonlySet<number>
}

export const totalCandidates = (
  scan: Scan,
  sums: Arithmetic,
  rates: ReadonlySet<number>,
  pass?: number
): ReadonlyArray<TotalCandidate> => {
  const all = scan.amounts.filter(({ row, units }) => units !== 0 && (pass === undefined || row.pass === pass))
  const exact = all.filter(({ hasDecimals }) => hasDecimals)
  // If the prices have decimals, the total has them, too; other numbers are quantities or receipt numbers.
  const seen = exact.length >= priced_min ? exact : all
  const byValue = [...Map.groupBy(seen, ({ units }) => units)].slice(-values_max)
  const values = new Set(byValue.map(([units]) => units))
  const featuresOf = featuresAmong({ scan, sums, rates, seen, values })
  const printed = byValue.map(([units, amounts]) => ({ units, amounts, features: featuresOf(units, amounts) }))
  return [...printed, ...computedTotals(scan, sums, values, pass)]
}

const featuresAmong = (compared: Compared) => {
  const { scan, seen } = compared
  const largest = Math.max(1, ...seen.filter(isPayable).map(({ units }) => units))
  const height = median(scan.rows.map((row) => row.height))
  const taxed = new Set(seen.filter(({ concepts }) => concepts.has("tax")).map(({ units }) => units))
  const lastTotal = Math.max(0, ...seen.filter(isClean).map(({ row }) => row.position))
  return (units: number, amounts: ReadonlyArray<LabelledMoney>): Record<TotalFeature, number> => ({
    bias: 1,
    computed: 0,
    ...labelFeatures(amounts, lastTotal),
    ...printFeatures(amounts, scan, height),
    ...sizeFeatures(units, largest, compared),
    ...arithmeticFeatures(units, taxed, compared),
    card: Number(amounts.some(isPayment) && !compared.sums.tendered.has(units))
  })
}

/** The features that follow from the labels of an amount. */
const labelFeatures = (amounts: ReadonlyArray<LabelledMoney>, lastTotal: number) => {
  const says = (concept: Concept) => share(amounts, ({ concepts }) => concepts.has(concept))
  return {
    due: Number(amounts.some((money) => isClean(money) && money.concepts.has("due"))),
    total: Number(amounts.some(isClean)),
    last_total: Number(amounts.some((money) => isClean(money) && money.row.position >= lastTotal - 0.005)),
    rounded: says("rounded"),
    subtotal: says("subtotal"),
    only_subtotal: Number(amounts.every((money) => money.concepts.has("subtotal"))),
    tax: says("tax"),
    cash: Number(amounts.some(({ concepts }) => concepts.has("cash"))),
    only_cash: Number(amounts.every(({ concepts }) => concepts.has("cash") && !concepts.has("total"))),
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
    inclusive: Number(amounts.some((money) => isClean(money) && money.concepts.has("inclusive")))
  }
}

/** The features that follow from how, where and how often an amount is printed. */
const printFeatures = (amounts: ReadonlyArray<LabelledMoney>, scan: Scan, height: number) => {
  const rows = new Set(amounts.map(({ row }) => row))
  const perPass = Map.groupBy(rows, (row) => row.pass)
  const repeated = Math.max(...[...perPass.values()].map((of) => of.length))
  const best = amounts.find(isClean) ?? amounts[0]
  return {
    repeated: Number(repeated >= 2),
    often_repeated: Number(repeated >= 3),
    large_type: Number(amounts.some(({ row }) => row.height > 1.25 * height)),
    position: best?.row.position ?? 0,
    early: Number((best?.row.position ?? 0) < 0.25),
    currency: Number(amounts.some(({ mark }) => mark !== undefined)),
    no_decimals: Number(scan.exponent > 0 && amounts.every(({ hasDecimals }) => !hasDecimals)),
    repaired: Number(amounts.every(({ isRepaired }) => isRepaired)),
    joined: Number(amounts.every(({ isJoined }) => isJoined)),
    unit_price: share(amounts, ({ isUnitPrice }) => isUnitPrice),
    crowded: share(amounts, (money) => scan.percentages.some(({ row }) => row === money.row)),
    both_passes: Number(scan.passes > 1 && perPass.size > 1),
    confidence: mean(amounts.map((money) => money.confidence))
  }
}

const sizeFeatures = (units: number, largest: number, { seen, values }: Compared) => ({
  largest: Number(units === largest),
  smaller: Math.min(3, Math.max(0, Math.log(largest / Math.max(1, units)))),
  larger_than_payable: Number(units > largest),
  negative: Number(units < 0),
  rounds_a_total: Number(units % 5 === 0 && roundsATotal(units, values, seen))
})

/** The features that follow from sums and differences of other amounts. */
const arithmeticFeatures = (units: number, taxed: ReadonlySet<number>, { rates, sums }: Compared) => ({
  cash_less_change: Number(sums.cashLessChange.has(units)),
  subtotal_and_tax: Number(sums.subtotalAndTax.has(units)),
  items: Number(sums.items.has(units)),
  tax_table: Number(sums.taxTable.has(units)),
  net_and_tax: Number(sums.netAndTax.has(units)),
  tax_fits: Number([...rates].some((rate) => rate > 0 && taxed.has(Math.round((units * rate) / (10_000 + rate))))),
  paid: Number(sums.paid.has(units)),
  with_tip: Number(sums.withTip.has(units)),
  net: Number(sums.net.has(units)),
  tendered: Number(sums.tendered.has(units))
})

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
 * True for an amount that is labelled as the total and as nothing else. "20 % HT 10.00 TVA 2.00 TTC 12.00" is a line of
 * a tax table, and "Total 6 % supplies" states the sum of one rate.
 */
export const isClean = ({ concepts, row }: LabelledMoney) =>
  (concepts.has("due") || concepts.has("total") || concepts.has("rounded")) &&
  !excluded.some((concept) => concepts.has(concept)) &&
  !(row.text.includes("%") && !concepts.has("inclusive") && !concepts.has("due") && !concepts.has("rounded")) &&
  !(row.text.includes("%") && (row.text.match(decimals) ?? []).length > 2)

const decimals = /\d[.,]\d{2,3}(?![\d%])/g

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
