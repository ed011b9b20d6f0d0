import { type Line, round, sum, totalsOf } from "./Lines.ts"

/** The credited part of a line: thousandths of quantity; net amount and taxes in the currency's smallest unit. */
export interface CreditedLine {
  readonly place: number
  readonly quantity: number
  readonly net: number
  readonly taxes: ReadonlyMap<number, number>
}

/** Clamps an amount between zero and the limit. If the limit is negative, the result is between the limit and zero. */
const upTo = (limit: number, amount: number) => Math.min(Math.max(amount, Math.min(0, limit)), Math.max(0, limit)) + 0

const ratesOf = ({ rates }: Line) => rates.join()

/**
 * Groups lines of the same rates. The tax at a rate is rounded once, and divided among the groups: the groups with the
 * largest remainders get one unit more.
 */
const partsOf = (lines: ReadonlyArray<Line>) => {
  const { nets } = totalsOf(lines)
  const names = [...new Set(lines.map(ratesOf))]
  const parts = names.map((name) => {
    const places = [...lines.keys()].filter((place) => ratesOf(lines[place] ?? lineless) === name)
    const rates = lines[places[0] ?? 0]?.rates ?? []
    return { places, rates, net: sum(places.map((place) => nets[place] ?? 0)), taxes: new Map<number, number>() }
  })
  for (const rate of new Set(lines.flatMap(({ rates }) => rates))) {
    const bearing = parts.filter(({ rates }) => rates.includes(rate))
    const exact = bearing.map(({ net }) => net * rate)
    const floors = exact.map((tax) => Math.floor(tax / 100))
    const left = round(sum(exact), 100) - sum(floors)
    const order = [...exact.keys()].toSorted((one, other) => over(exact[other]) - over(exact[one]) || one - other)
    for (const [index, part] of bearing.entries()) {
      part.taxes.set(rate, (floors[index] ?? 0) + (order.indexOf(index) < left ? 1 : 0))
    }
  }
  return parts
}
const lineless: Pick<Line, "rates"> & Line = { quantity: 0, price: 0, discount: 0, discount_type: "percent", rates: [] }
const over = (hundredths = 0) => hundredths - Math.floor(hundredths / 100) * 100

const taxOf = (credited: ReadonlyArray<CreditedLine>, rate: number) =>
  sum(credited.map(({ taxes }) => taxes.get(rate) ?? 0))

interface Rest {
  readonly net: number
  readonly tax: number
}

/**
 * Computes the tax of a credited net (rules/credit-notes.md, Amount). It is the rounded tax of this net, moved unit by
 * unit until the tax of the rest differs little enough from its rate.
 */
const taxOfNet = (net: number, rate: number, left: Rest, exponent: number) => {
  const hundredthsOff = (tax: number) => (left.tax - tax) * 100 - (left.net - net) * rate
  const before = Math.abs(left.tax * 100 - left.net * rate)
  const most = Math.min(10 ** exponent * 50, Math.max(100, before))
  let tax = round(net * rate, 100)
  while (Math.abs(hundredthsOff(tax)) > most) tax += Math.sign(hundredthsOff(tax))
  return upTo(left.tax, tax)
}

/** Computes the credit for a quantity of a line after earlier credits; undefined if the line has less left. */
export const takenOf = (
  lines: ReadonlyArray<Line>,
  earlier: ReadonlyArray<CreditedLine>,
  place: number,
  quantity: number,
  exponent: number
): CreditedLine | undefined => {
  const line = lines[place]
  const part = partsOf(lines).find(({ places }) => places.includes(place))
  if (line === undefined || part === undefined) return undefined
  const total = totalsOf(lines).nets[place] ?? 0
  const same = earlier.filter((one) => one.place === place)
  const used = sum(same.map((one) => one.quantity))
  const left = total - sum(same.map((one) => one.net))
  if (used + quantity > line.quantity) return undefined
  const due = round(total * (used + quantity), line.quantity) - (total - left)
  const net = used + quantity === line.quantity ? left : upTo(left, due)
  const credited = earlier.filter((one) => part.places.includes(one.place))
  const rest = part.net - sum(credited.map((one) => one.net))
  if (upTo(rest, net) !== net) return undefined
  const taxes = part.rates.map((rate): [number, number] => {
    const tax = (part.taxes.get(rate) ?? 0) - taxOf(credited, rate)
    if (net === 0) return [rate, 0]
    return [rate, net === rest ? tax : taxOfNet(net, rate, { net: rest, tax }, exponent)]
  })
  return { place, quantity, net, taxes: new Map(taxes) }
}

export const grossOf = ({ net, taxes }: CreditedLine) => net + sum([...taxes.values()])

/** True if the whole net amount and the whole tax of every rate are credited. */
export const isExhausted = (lines: ReadonlyArray<Line>, credited: ReadonlyArray<CreditedLine>) =>
  partsOf(lines).every(({ net, places, taxes }) => {
    const own = credited.filter(({ place }) => places.includes(place))
    return sum(own.map((one) => one.net)) === net && [...taxes].every(([rate, tax]) => taxOf(own, rate) === tax)
  })
