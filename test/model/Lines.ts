/** An amount in the smallest unit of the currency, distinguished from other numbers until it is sent. */
export class Units {
  readonly amount: number
  constructor(amount: number) {
    this.amount = amount
  }
}

/** The id of a record, which is read late, because a record that was just made gets its id from the answer. */
export class IdOf {
  readonly record: { readonly id: number }
  constructor(record: { readonly id: number }) {
    this.record = record
  }
}

/** The position of a line in an existing invoice. The request contains the id of that line instead. */
export class LineAt {
  readonly place: number
  constructor(place: number) {
    this.place = place
  }
}

/** A line in integers: quantity in thousandths, price in hundredths of the smallest unit, rates in percent. */
export interface Line {
  readonly quantity: number
  readonly price: number
  readonly discount_type: "percent" | "amount"
  /** The discount is in whole percent or in the smallest unit. */
  readonly discount: number
  readonly rates: ReadonlyArray<number>
}

/** Thousandths of a quantity times hundredths of the smallest unit. */
const scale = 100_000

/** Rounds halves away from zero. All numbers stay far below 2^53. */
export const round = (numerator: number, denominator: number): number =>
  Math.sign(numerator) * Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator))

export const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

const netOf = ({ discount, discount_type, price, quantity }: Line): number =>
  discount_type === "percent"
    ? round(quantity * price * (100 - discount), scale * 100)
    : round(quantity * price, scale) - discount

/** Rounds lines and sums them per rate; the tax is rounded once per rate (rules/invoices.md, Rounding). */
export const totalsOf = (lines: ReadonlyArray<Line>) => {
  const nets = lines.map(netOf)
  const rates = [...new Set(lines.flatMap(({ rates }) => rates))]
  const taxableAt = (rate: number) => sum(nets.filter((_, index) => lines[index]?.rates.includes(rate)))
  const subtotal = sum(nets)
  const tax_total = sum(rates.map((rate) => round(taxableAt(rate) * rate, 100)))
  const discount_total = sum(lines.map(({ price, quantity }) => round(quantity * price, scale))) - subtotal
  return { nets, subtotal, discount_total, tax_total, total: subtotal + tax_total }
}

/** Returns the line that bills an expense: its net amount and a markup in percent, at the default rates. */
export const lineOf = (net: number, markup: number, rates: ReadonlyArray<number>): Line => ({
  quantity: 1_000,
  price: net * (100 + markup),
  discount_type: "percent",
  discount: 0,
  rates
})
