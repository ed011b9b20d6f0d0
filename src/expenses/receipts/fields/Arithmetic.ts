import type { Concept } from "../scan/Keywords.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import { cash_rounding_max, tax_share_max } from "../taxes/PrintedTaxes.ts"
import { isClean, isPayment } from "./Totals.ts"

/** Sums of figures on the receipt; an amount that equals such a sum is rarely misread. */
export interface Arithmetic {
  readonly subtotalAndTax: ReadonlySet<number>
  readonly cashLessChange: ReadonlySet<number>
  readonly items: ReadonlySet<number>
  readonly taxTable: ReadonlySet<number>
  readonly netAndTax: ReadonlySet<number>
  readonly paid: ReadonlySet<number>
  readonly withTip: ReadonlySet<number>
  /** Net amounts: each of them plus a tax on the receipt gives another amount of the receipt. */
  readonly net: ReadonlySet<number>
  /** Cash from which change was given, and the parts of a split payment. None of them is the total that was paid. */
  readonly tendered: ReadonlySet<number>
}

/** Computes the sums of a scan; `taxTable` holds the gross sums of its tax groups. */
export const arithmeticOf = (scan: Scan, taxTable: Iterable<number>): Arithmetic => {
  const of = (...concepts: ReadonlyArray<Concept>) =>
    distinct(scan.amounts.filter((money) => concepts.some((concept) => money.concepts.has(concept))))
  const items = itemSums(scan)
  const table = new Set(taxTable)
  // A gross sum of a tax table already includes the taxes, so it is no subtotal.
  const subtotals = [...of("subtotal"), ...netsAboveTax(scan, items)].filter((units) => !table.has(units))
  const taxes = taxesOf(scan)
  const totals = distinct(scan.amounts.filter(isClean))
  const split = splitPayment(scan)
  const tendered = new Set([...tenderedAmounts(scan), ...(split?.parts ?? [])])
  const service = sums(subtotals, of("tip"), (net, tip) => (net > tip ? net + tip : 0))
  const withService = [...subtotals, ...service].slice(0, 2 * pairs_max)
  return {
    subtotalAndTax: roundedBy(
      scan,
      sums(withService, taxes, (net, tax) => (net > tax ? net + tax : 0))
    ),
    cashLessChange:
      split === undefined
        ? sums([...of("cash"), ...tendered], of("change"), (cash, change) => cash - change)
        : new Set([split.total]),
    items,
    taxTable: table,
    netAndTax: threes(scan),
    // A till prints "Electronic payment 0.00" when the customer paid cash, so an amount of zero is not a payment.
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

/** Returns each tax that is added to a net amount and, for every recognition pass, the sum of these taxes. */
const taxesOf = ({ amounts }: Scan): ReadonlyArray<number> => {
  const taxes = amounts.filter(
    ({ concepts }) => concepts.has("tax") && !concepts.has("due") && !concepts.has("inclusive")
  )
  const perPass = [...Map.groupBy(taxes, ({ row }) => row.pass).values()]
  return [...new Set([...distinct(taxes), ...perPass.map(sizeOf)])]
}

const sizeOf = (amounts: ReadonlyArray<LabelledMoney>) => amounts.reduce((sum, { units }) => sum + Math.abs(units), 0)

/**
 * Returns amounts that have no label, are followed by a tax, and are the sum of the items or repeat an earlier amount.
 */
const netsAboveTax = ({ amounts }: Scan, items: ReadonlySet<number>): ReadonlyArray<number> =>
  amounts.flatMap(({ concepts, units }, index) => {
    const isNet =
      concepts.size === 0 && (items.has(units) || amounts.slice(0, index).some((one) => one.units === units))
    const next = amounts[index + 1]?.concepts
    return isNet && next?.has("tax") === true && !next.has("inclusive") ? [units] : []
  })

/** Adds each sum plus and minus a rounding of a few cents that the receipt prints. */
const roundedBy = (scan: Scan, sums: ReadonlySet<number>): ReadonlySet<number> => {
  const roundings = distinct(scan.amounts.filter(({ concepts }) => concepts.has("rounding"))).filter(
    (units) => units <= cash_rounding_max
  )
  return new Set([...sums].flatMap((sum) => [sum, ...roundings.flatMap((units) => [sum - units, sum + units])]))
}

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

interface SplitPayment {
  readonly total: number
  readonly parts: ReadonlyArray<number>
}

/** Finds a total that was paid in several parts, such as by card and in cash, less the change. */
const splitPayment = (scan: Scan): SplitPayment | undefined => {
  const totals = new Set(scan.amounts.filter(isClean).map(({ units }) => units))
  for (const amounts of Map.groupBy(scan.amounts, ({ row }) => row.pass).values()) {
    const positive = amounts.filter(({ concepts, units }) => units > 0 && !concepts.has("total"))
    const change = positive.filter(({ concepts }) => concepts.has("change")).reduce((sum, { units }) => sum + units, 0)
    const paid = positive
      .filter((money) => isPayment(money) || (money.concepts.has("cash") && !money.concepts.has("change")))
      .filter(({ concepts }) => !concepts.has("voucher"))
      .map(({ units }) => units)
    // A card slip may repeat a payment of the receipt.
    for (const parts of [paid, [...new Set(paid)]]) {
      const total = parts.reduce((sum, units) => sum + units, -change)
      if (parts.length > 1 && totals.has(total) && !parts.includes(total)) return { total, parts }
    }
  }
  return undefined
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

/** Running sums of the items, which are the amounts in the last column above the totals. Discounts are negative. */
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
