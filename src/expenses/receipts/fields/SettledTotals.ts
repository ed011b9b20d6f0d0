import type { Concept } from "../scan/Keywords.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import type { Arithmetic } from "./Arithmetic.ts"
import { isClean, type TotalCandidate } from "./Totals.ts"

const has = ({ concepts }: LabelledMoney, ...any: ReadonlyArray<Concept>) =>
  any.some((concept) => concepts.has(concept))

/** True for a payment of an amount other than zero, including cash. A voucher does not count as a payment. */
const isMoneyPaid = (money: LabelledMoney) => money.units !== 0 && has(money, "cash", "card", "paid")

/** Minimum number of rows with a negative total, payment, subtotal or tax that make a receipt a refund. */
const refund_rows_min = 2

/** The total of a receipt whose buyer paid nothing (zero) or got money back (negative); else undefined. */
export const settledTotal = (scan: Scan): number | undefined => {
  const vouchers = scan.amounts.filter((money) => has(money, "voucher")).map(({ units }) => Math.abs(units))
  const totals = scan.amounts.filter(
    (money) => isClean(money) && (money.hasDecimals || scan.exponent === 0) && !vouchers.includes(money.units)
  )
  const [largest = 0] = totals.map(({ units }) => Math.abs(units)).toSorted((a, b) => b - a)
  const isNegative = totals.every(({ units }) => units < 0)
  // The last row of a credit note's tax table may state a negative net amount and tax as totals, too.
  if (totals.length === 0 || (!isNegative && totals.some(({ units }) => Math.abs(units) !== largest))) return undefined
  if (largest === 0) return scan.amounts.some(isMoneyPaid) ? undefined : 0
  const negative = scan.amounts.filter(({ units }) => units < 0)
  const isReturned = [...Map.groupBy(negative, ({ row }) => row.pass).values()].some((amounts) =>
    statesRefund(amounts, largest)
  )
  // Without further evidence, a negative total may be a positive one with a dash before it.
  return isReturned ? -largest : undefined
}

/** True if a negative total is stated in two ways, or is the sum of the returned goods. */
const statesRefund = (negative: ReadonlyArray<LabelledMoney>, size: number): boolean => {
  const totals = negative.filter(({ units }) => units === -size)
  const labelled = totals.filter((money) => isClean(money) || isMoneyPaid(money) || has(money, "subtotal"))
  const parts = negative.filter((money) => has(money, "subtotal", "tax"))
  const goods = negative.filter(({ concepts }) => concepts.size === 0).reduce((sum, { units }) => sum + units, 0)
  const rows = new Set([...labelled, ...parts].map(({ row }) => row))
  return (totals.some(isClean) && goods === -size) || (labelled.length > 0 && rows.size >= refund_rows_min)
}

/** True if a voucher of this amount is the only payment, so that it is doubtful whether the amount is an expense. */
export const isPaidByVoucher = ({ amounts }: Scan, units: number): boolean =>
  amounts.some((money) => has(money, "voucher") && Math.abs(money.units) === units) && !amounts.some(isMoneyPaid)

/**
 * True if a discount stands below the total, and no payment of the total shows that the discount is already subtracted.
 * A positive discount may only inform about savings, so the reduced total must be printed, too.
 */
export const isReducedBelow = (
  { amounts }: Scan,
  { cashLessChange, paid }: Arithmetic,
  { units }: TotalCandidate
): boolean => {
  if (cashLessChange.has(units) || paid.has(units)) return false
  const totals = amounts.filter((money) => money.units === units && isClean(money))
  const lowest = Math.max(...totals.map(({ row }) => row.position))
  const below = amounts.filter(({ row }) => totals.length > 0 && row.position > lowest)
  return below.some(
    (money) =>
      has(money, "discount") &&
      !has(money, "points") &&
      Math.abs(money.units) < units &&
      (money.units < 0 || (money.units > 0 && below.some((other) => other.units === units - money.units)))
  )
}
