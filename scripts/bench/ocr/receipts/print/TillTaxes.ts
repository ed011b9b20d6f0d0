import type { TaxGroup } from "../Basket.ts"
import { printRate } from "../Formats.ts"
import { sum } from "../Money.ts"
import { columns, left, pair, type Row } from "./Paper.ts"
import type { TaxDetail } from "../Receipt.ts"
import type { Sale } from "../Sale.ts"

/** Returns the letter that is printed beside an item for its tax rate: `A` for the first rate, `B` for the second. */
export const rateMark = ({ basket }: Sale, permille: number): string =>
  String.fromCharCode(
    65 +
      Math.max(
        0,
        basket.groups.findIndex((group) => group.permille === permille)
      )
  )

export interface TaxPart {
  readonly rows: ReadonlyArray<Row>
  readonly detail: TaxDetail
}

/** True if the receipt states its tax. Some receipts do not, above all those of taxis. */
export const saysTax = ({ kind, random, region }: Sale): boolean =>
  region.tax_on_top === true || !random.chance(kind === "taxi" ? 0.35 : 0.1)

/** Returns the tax rows of a receipt in one of the layouts that the country's tills use. */
export const taxPart = (sale: Sale): TaxPart => {
  const { basket, random, region } = sale
  if (region.tax_on_top === true) return { rows: [], detail: "sum" }
  if (basket.groups.length === 1 && random.chance(0.35)) return includedTax(sale)
  const inWords = random.chance(region.language === "it" ? 0.5 : 0.25)
  return { rows: inWords ? basket.groups.flatMap((group) => sentence(sale, group)) : table(sale), detail: "rates" }
}

/** Prints `incl. 19 % MwSt  1,23`, with or without the rate. */
const includedTax = ({ amount, basket, random, region, word }: Sale): TaxPart => {
  const withRate = random.chance(0.7)
  const rate = withRate ? ` ${printRate(region, basket.groups[0]?.permille ?? 0, 0)}%` : ""
  return { rows: [pair(`${word("taxIncluded")}${rate}`, amount(basket.tax))], detail: withRate ? "rates" : "sum" }
}

/** Prints the amounts of one tax rate as tills in the receipt's country do, such as `TVA 20,0% sur 10,00 HT`. */
const sentence = (sale: Sale, { gross, net, permille, tax }: TaxGroup): ReadonlyArray<Row> => {
  const { amount, random, region, word } = sale
  const name = random.pick(region.taxName)
  const rate = printRate(region, permille, 1)
  switch (region.language) {
    case "it":
      return [pair(`${word("net")} ${rate}%`, amount(net)), pair(`${name} ${rate}%`, amount(tax))]
    case "nl":
      return [pair(`${name} ${rate}% over ${amount(net)}`, amount(tax))]
    case "fr":
      return [pair(`${name} ${rate}% sur ${amount(net)} HT`, amount(tax))]
    case "de":
      return region.country === "CH"
        ? [pair(`${name} ${rate}% von ${amount(gross)}`, amount(tax))]
        : [pair(`${word("net")} ${rate}%`, amount(net)), pair(`${name} ${rate}%`, amount(tax))]
    case "es":
      return [left(`Base ${rate}% ${amount(net)}  ${name} ${amount(tax)}`)]
    case "en":
      return [pair(`${name} @ ${rate}% on ${amount(net)}`, amount(tax))]
  }
}

/** Prints the taxes as columns in the country's order, sometimes with a last row of totals. */
const table = (sale: Sale): ReadonlyArray<Row> => {
  const { amount, basket, random, region, word } = sale
  const name = random.pick(region.taxName)
  const withGross = random.chance(0.75)
  const taxFirst = region.language === "de" && random.chance(0.5)
  const digits = random.pick([0, 1, 2] as const)
  const withMark = digits === 0 && random.chance(0.8)
  const wide = Math.max(...basket.groups.map(({ net }) => amount(net).length)) + 1
  const [high, low] = [Math.max(8, wide), Math.max(7, wide - 1)]
  const letters = [taxFirst ? low : high, taxFirst ? high : low, ...(withGross ? [high] : [])]
  const row = (label: string, net: string, tax: string, gross: string): Row => {
    const both = taxFirst ? [tax, net] : [net, tax]
    return columns([label, ...both, ...(withGross ? [gross] : [])], letters)
  }
  const percentSign = random.chance(0.7) ? "%" : ""
  const rows = basket.groups.map(({ gross, net, permille, tax }) => {
    const rate = `${printRate(region, permille, digits)}${percentSign}`
    return row(withMark ? `${rateMark(sale, permille)} ${rate}` : rate, amount(net), amount(tax), amount(gross))
  })
  const total = row(
    random.pick(["Total", "Σ", "", sale.word("gross")]),
    amount(sum(basket.groups.map((group) => group.net))),
    amount(basket.tax),
    amount(basket.total)
  )
  const head = row(word("rate"), word("net"), name, word("gross"))
  return basket.groups.length > 1 && random.chance(0.4) ? [head, ...rows, total] : [head, ...rows]
}
