import { basketOf, type Basket } from "./Basket.ts"
import { addDays, isoDay, printAmount, printDay, withSign, type DayOfYear } from "./Formats.ts"
import { decimal, percent, type Cents } from "./Money.ts"
import type { Random } from "../../../support/Random.ts"
import type { Circumstances, Kind, TaxDetail, Truth } from "./Receipt.ts"
import type { Region } from "./shops/Regions.ts"
import { vendorOf, type Vendor } from "./shops/Vendors.ts"
import { words, type Words } from "./shops/Words.ts"

export interface Sale {
  readonly random: Random
  readonly kind: Kind
  readonly region: Region
  readonly words: Words
  readonly vendor: Vendor
  readonly basket: Basket
  readonly day: DayOfYear
  readonly time: string
  readonly reference: string
  readonly buyer: Buyer
  /** Returns a word of the language in the spelling of this till, which is the same everywhere on one receipt. */
  readonly word: (key: keyof Words) => string
  readonly amount: (amount: Cents) => string
  readonly money: (amount: Cents) => string
  readonly date: (day: DayOfYear) => string
}

interface Buyer {
  readonly name: string
  readonly city: string
}

const buyers: ReadonlyArray<Buyer> = [
  { name: "Atelier Lumière SRL", city: "Bruxelles" },
  { name: "Northlight Studio Ltd", city: "Dublin" },
  { name: "Werkstatt Morgenrot GmbH", city: "Köln" },
  { name: "Studio Vuurtoren B.V.", city: "Haarlem" }
]

const references: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  supermarket: ["######", "####", "## ####", "####-##-####"],
  restaurant: ["####", "#####", "A-####"],
  fuel: ["######", "#####", "##/####"],
  taxi: ["####", "T-####", "######"],
  hotel: ["RE-2026-####", "F######", "2026/####"],
  hardware: ["######", "##-#####"],
  pharmacy: ["#####", "######"],
  train: ["@@@@##", "####-####-##", "@#@#@#"],
  invoice: ["INV-2026-####", "F2026-####", "2026-0####", "RE-#####", "VF26/####"]
}

export const saleOf = (random: Random, kind: Kind, region: Region): Sale => {
  const { language } = region
  const choice = new Map(Object.entries(words[language]).map(([key, variants]) => [key, random.pick<string>(variants)]))
  const sign = random.pick(region.signs)
  const pattern = random.pick(region.dates)
  const amount = (cents: Cents) => printAmount(region, cents)
  return {
    random,
    kind,
    region,
    words: words[language],
    vendor: vendorOf(random, region, kind),
    basket: basketOf(random, region, kind),
    day: { year: random.pick([2025, 2026, 2026]), month: random.whole(1, 8), day: random.whole(1, 28) },
    time: `${String(random.whole(7, 22)).padStart(2, "0")}:${String(random.whole(0, 59)).padStart(2, "0")}`,
    reference: random.code(random.pick(references[kind])),
    buyer: random.pick(buyers),
    word: (key) => choice.get(key) ?? key,
    amount,
    money: (cents) => withSign(sign, amount(cents)),
    date: (day) => printDay(region, pattern, day)
  }
}

const categories: Readonly<Partial<Record<Kind, string>>> = {
  restaurant: "meals",
  fuel: "vehicle",
  taxi: "travel",
  hotel: "travel",
  train: "travel"
}

export const truthOf = (sale: Sale, taxes: TaxDetail): Truth => {
  const { basket, day, kind, reference, region, vendor } = sale
  const category = categories[kind]
  const truth = {
    vendor: vendor.name,
    expense_date: isoDay(day),
    amount: decimal(basket.payable),
    currency: region.currency,
    tax_rates:
      taxes === "rates"
        ? basket.groups.map(({ net, permille, tax }) => ({
            rate: percent(permille),
            taxable_amount: decimal(net),
            tax_amount: decimal(tax)
          }))
        : [],
    reference,
    payment_method: basket.method
  }
  return {
    ...truth,
    ...(taxes !== "none" ? { tax_amount: decimal(basket.tax) } : {}),
    ...(category === undefined ? {} : { category })
  }
}

/** The receipt is uploaded within 80 days, by a business of the same country. */
export const circumstancesOf = ({ buyer, day, random, region }: Sale): Circumstances => ({
  country: region.country,
  currency: region.currency,
  language: region.language,
  today: isoDay(addDays(day, random.whole(0, 80))),
  own_names: [buyer.name, buyer.city]
})
