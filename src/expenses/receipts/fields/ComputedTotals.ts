import { mean } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import type { Arithmetic } from "./Arithmetic.ts"
import type { TotalCandidate } from "./Totals.ts"

const sums_max = 8

/** Totals that are cut off or misread, but follow from other figures. A person always reviews them. */
export const computedTotals = (
  scan: Scan,
  { cashLessChange, subtotalAndTax }: Arithmetic,
  shown: ReadonlySet<number>,
  pass?: number
): ReadonlyArray<TotalCandidate> => {
  const amounts = scan.amounts.filter(
    ({ concepts, row }) =>
      (pass === undefined || row.pass === pass) &&
      (["subtotal", "tax", "cash"] as const).some((one) => concepts.has(one))
  )
  if (amounts.length === 0) return []
  const subtotals = amounts.filter(({ concepts }) => concepts.has("subtotal")).map(({ units }) => units)
  return [...new Set([...cashLessChange, ...subtotalAndTax])]
    .filter((units) => units > 0 && !shown.has(units) && subtotals.every((subtotal) => subtotal <= units))
    .slice(0, sums_max)
    .map((units) => ({
      units,
      amounts,
      features: {
        bias: 1,
        computed: Number(!scan.rows.some((row) => row.words.some(({ text }) => isRestOf(text, units)))),
        cash_less_change: Number(cashLessChange.has(units)),
        subtotal_and_tax: Number(subtotalAndTax.has(units)),
        position: Math.max(...amounts.map(({ row }) => row.position)),
        confidence: mean(amounts.map(({ confidence }) => confidence))
      }
    }))
}

/** Minimum number of digits of a total for which a misread number can be recognized. */
const digits_min = 4

/**
 * True for a number that lost its decimal point or its first or last digit, or whose currency sign was read as a digit.
 */
const isRestOf = (text: string, units: number): boolean => {
  const [read, printed] = [text.replace(/\D/g, ""), String(units)]
  if (printed.length < digits_min) return false
  if (read === printed.slice(1) && /\d[.,]\d\d$/.test(text)) return true
  return read.slice(-printed.length) === printed
    ? read.length <= printed.length + 1
    : /\d[.,]+$/.test(text) && read.length >= 3 && printed.startsWith(read)
}
