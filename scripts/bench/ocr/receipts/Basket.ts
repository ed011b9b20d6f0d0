import { roundedTo, share, sum, taxOn, taxWithin, type Cents } from "./Money.ts"
import type { Random } from "../../../support/Random.ts"
import type { Kind, Line, Truth } from "./Receipt.ts"
import type { Region } from "./shops/Regions.ts"
import { stock, type Item } from "./shops/Stock.ts"

export interface TaxGroup {
  readonly permille: number
  readonly net: Cents
  readonly tax: Cents
  readonly gross: Cents
}

export interface Basket {
  readonly lines: ReadonlyArray<Line>
  readonly subtotal: Cents
  /** The discount: zero or a negative amount. */
  readonly discount: Cents
  readonly discount_percent: number
  readonly groups: ReadonlyArray<TaxGroup>
  readonly tax: Cents
  /** Total before rounding and tip. */
  readonly total: Cents
  readonly tip: Cents
  readonly rounding: Cents
  readonly payable: Cents
  readonly method: Truth["payment_method"]
  /** Cash that the customer handed over; only for a cash payment. */
  readonly given: Cents
}

export const basketOf = (random: Random, region: Region, kind: Kind): Basket => {
  const lines = linesOf(random, region, kind)
  const subtotal = sum(lines.map((line) => line.total))
  const discountable = ["supermarket", "hardware", "restaurant", "invoice", "hotel"].includes(kind)
  const discount_percent = discountable && random.chance(0.22) ? random.pick([5, 10, 15, 20]) : 0
  const onTop = kind === "invoice" || region.tax_on_top === true
  const groups = groupsOf(lines, discount_percent, onTop)
  const total = sum(groups.map((group) => group.gross))
  const discount = sum(groups.map((group) => (onTop ? group.net : group.gross))) - subtotal
  const method = kind === "invoice" ? "bank_transfer" : kind !== "hotel" && random.chance(0.42) ? "cash" : "card"
  const tips = (kind === "restaurant" || kind === "taxi") && method === "card" && random.chance(0.25)
  const tip = tips ? Math.max(100, roundedTo(share(total, random.pick([5, 8, 10])), 50)) : 0
  const step = method === "cash" ? region.cash_step : undefined
  const payable = (step === undefined ? total : roundedTo(total, step)) + tip
  return {
    lines,
    subtotal,
    discount,
    discount_percent,
    groups,
    tax: sum(groups.map((group) => group.tax)),
    total,
    tip,
    rounding: payable - tip - total,
    payable,
    method,
    given: method === "cash" ? handedOver(random, payable) : 0
  }
}

const groupsOf = (lines: ReadonlyArray<Line>, discount_percent: number, onTop: boolean): ReadonlyArray<TaxGroup> => {
  const rates = [...new Set(lines.map((line) => line.permille))].toSorted((a, b) => b - a)
  return rates.map((permille) => {
    const listed = sum(lines.filter((line) => line.permille === permille).map((line) => line.total))
    const price = listed - share(listed, discount_percent)
    const tax = onTop ? taxOn(price, permille) : taxWithin(price, permille)
    return onTop ? { permille, net: price, tax, gross: price + tax } : { permille, net: price - tax, tax, gross: price }
  })
}

/** Returns what the customer pays in cash: the exact amount, or the next higher amount in banknotes. */
const handedOver = (random: Random, payable: Cents): Cents => {
  if (random.chance(0.2)) return payable
  const note = random.pick([500, 1000, 2000, 5000])
  return Math.ceil(payable / note) * note
}

const linesOf = (random: Random, region: Region, kind: Kind): ReadonlyArray<Line> => {
  const { fuels, grocery, menu, remedies, services, tools } = stock[region.language]
  const several = (items: ReadonlyArray<Item>, from: number, to: number, quantity_max: number) =>
    random.sample(items, random.whole(from, to)).map((item) => lineOf(random, region, item, quantity_max))
  switch (kind) {
    case "supermarket":
      return several(random.chance(0.2) ? grocery.slice(0, 10) : grocery, 3, 15, 3)
    case "restaurant":
      return several(menu, 2, 7, 4)
    case "hardware":
      return several(tools, 1, 6, 8)
    case "pharmacy":
      return several(remedies, 1, 5, 2)
    case "invoice":
      return several(services, 1, 4, 6)
    case "fuel":
      return fuelLines(random, region, random.pick(fuels))
    case "hotel":
      return stayLines(random, region)
    case "taxi":
      return [fixed(fare[region.language], random.whole(8, 95) * 50 + 300, region.rates.transport)]
    case "train":
      return [fixed(ticket[region.language], random.whole(6, 240) * 50 + 20, region.rates.transport)]
  }
}

const fare = { en: "Fare", fr: "Course", nl: "Ritprijs", de: "Fahrpreis", es: "Carrera", it: "Corsa" }
const ticket = {
  en: "Single 2nd class",
  fr: "Aller simple 2e cl.",
  nl: "Enkele reis 2e kl.",
  de: "Einzelfahrt 2. Kl.",
  es: "Billete ida 2a clase",
  it: "Corsa semplice 2a cl."
}
const night = { en: "Room", fr: "Chambre", nl: "Kamer", de: "Übernachtung", es: "Habitación", it: "Camera" }
const breakfast = {
  en: "Breakfast",
  fr: "Petit déjeuner",
  nl: "Ontbijt",
  de: "Frühstück",
  es: "Desayuno",
  it: "Colazione"
}
const cityTax = {
  en: "City tax",
  fr: "Taxe de séjour",
  nl: "Toeristenbelasting",
  de: "Kurtaxe",
  es: "Tasa turística",
  it: "Imposta di soggiorno"
}

const priceFor = (random: Random, low: Cents, high: Cents): Cents => {
  const price = random.whole(low, high)
  return random.chance(0.6) ? Math.floor(price / 10) * 10 + 9 : Math.round(price / 10) * 10
}

const fixed = (name: string, price: Cents, permille: number, quantity = 1): Line => ({
  name,
  quantity,
  unit_price: price,
  total: price * quantity,
  permille
})

const lineOf = (random: Random, region: Region, [name, goods, low, high]: Item, quantity_max: number): Line => {
  const price = priceFor(random, low, high)
  const quantity = price > 2500 || random.chance(0.65) ? 1 : random.whole(2, quantity_max)
  return fixed(name, price, region.rates[goods], quantity)
}

/** Litres and their price have more decimals than money: the unit price is in tenths of a cent. */
const fuelLines = (random: Random, region: Region, fuel: string): ReadonlyArray<Line> => {
  const centilitres = random.whole(1200, 6200)
  const tenths = random.whole(1489, 1999)
  const filled: Line = {
    name: fuel,
    quantity: centilitres / 100,
    unit_price: tenths,
    total: Math.round((centilitres * tenths) / 1000),
    permille: region.rates.standard
  }
  const [name, goods, low, high] = random.pick(stock[region.language].menu)
  return random.chance(0.25) ? [filled, fixed(name, priceFor(random, low, high), region.rates[goods])] : [filled]
}

const stayLines = (random: Random, region: Region): ReadonlyArray<Line> => {
  const nights = random.whole(1, 4)
  const { language, rates } = region
  const stay: Array<Line> = [fixed(night[language], priceFor(random, 5900, 18900), rates.lodging, nights)]
  if (random.chance(0.6)) stay.push(fixed(breakfast[language], priceFor(random, 900, 1900), rates.meal, nights))
  if (random.chance(0.4)) stay.push(fixed(cityTax[language], random.whole(12, 45) * 10, 0, nights))
  return stay
}
