import { center, gap, left, pair, rule, type Row, type Style } from "./Paper.ts"
import type { Sale } from "../Sale.ts"

/** Prints the total, usually in the till's largest letters, and the cash rounding and the tip if there are any. */
export const totalRows = (sale: Sale): ReadonlyArray<Row> => {
  const { amount, basket, money, random, region, word } = sale
  const style: Style = { size: random.pick([1, 1.3, 1.5, 2]), bold: random.chance(0.7) }
  const label = withCurrency(sale, word("total"))
  const rows: Array<Row> = []
  if (region.tax_on_top === true) rows.push(pair(random.pick(region.taxName), amount(basket.tax)))
  if (basket.rounding === 0 && basket.tip === 0) return [...rows, pair(label, money(basket.payable), style)]
  rows.push(pair(label, money(basket.total), basket.rounding === 0 ? style : { ...style, size: 1 }))
  if (basket.rounding !== 0) rows.push(pair(word("rounding"), amount(basket.rounding)))
  if (basket.tip !== 0) rows.push(pair(word("tip"), amount(basket.tip)))
  return [...rows, pair(withCurrency(sale, word("payable")), money(basket.payable), style)]
}

const withCurrency = ({ random, region }: Sale, label: string): string =>
  random.chance(0.3) && !label.includes(region.currency) ? `${label} ${region.currency}` : label

export const paymentRows = (sale: Sale): ReadonlyArray<Row> =>
  sale.basket.method === "cash" ? cashRows(sale) : sale.random.chance(0.6) ? cardSlip(sale) : [cardRow(sale)]

const cashRows = ({ amount, basket, random, word }: Sale): ReadonlyArray<Row> => {
  const change = basket.given - basket.payable
  if (change === 0 && random.chance(0.5)) return [pair(word("cash"), amount(basket.given))]
  return [pair(word("given"), amount(basket.given)), pair(word("change"), amount(change))]
}

const cardRow = ({ amount, basket, word }: Sale): Row => pair(word("card"), amount(basket.payable))

/** Prints the slip of the card terminal. Its time, date and number differ from those of the receipt. */
const cardSlip = (sale: Sale): ReadonlyArray<Row> => {
  const { basket, date, day, money, random, region, time, word } = sale
  const terminal = {
    en: "Terminal ID",
    fr: "N° TPE",
    nl: "Terminal",
    de: "Terminal-ID",
    es: "Terminal",
    it: "TML"
  }
  const rows: ReadonlyArray<Row> = [
    left(`${terminal[region.language]}: ${random.code("########")}`),
    left(`${word("card").toUpperCase()} **** **** **** ${random.code("####")}`),
    random.chance(0.5) ? left(`AID: A00000000${random.code("####10")}`) : left(`TA-Nr ${random.code("######")}`),
    left(`${date(day)} ${time}`),
    pair(word("authorization"), random.code("######")),
    pair(word("paid"), money(basket.payable), { size: random.pick([1, 1, 1.3]), bold: random.chance(0.4) })
  ]
  const shown = random.chance(0.5) ? rows : rows.filter((_, index) => index !== 3)
  return [cardRow(sale), rule("-"), center(word("customerCopy")), ...shown, gap]
}
