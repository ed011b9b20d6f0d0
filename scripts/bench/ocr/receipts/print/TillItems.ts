import { printRate } from "../Formats.ts"
import { columns, left, pair, type Row } from "./Paper.ts"
import type { Line } from "../Receipt.ts"
import type { Sale } from "../Sale.ts"
import { rateMark } from "./TillTaxes.ts"

const name_letters_max = 22

/** Prints the items in one of three layouts: name and amount; the quantity below the name; columns. */
export const itemRows = (sale: Sale): ReadonlyArray<Row> => {
  const { basket, kind, random } = sale
  if (kind === "fuel")
    return basket.lines.flatMap((line, index) => (index === 0 ? fuelRows(sale, line) : [priced(sale, line)]))
  const form = random.pick(["plain", "plain", "below", "columns"] as const)
  if (form === "columns") return [columnHead(sale), ...basket.lines.map((line) => columnRow(sale, line))]
  return basket.lines.flatMap((line) => {
    if (line.quantity === 1) return [priced(sale, line)]
    const times = `${line.quantity} x ${sale.amount(line.unit_price)}`
    if (form === "below") return [left(clip(line.name)), pair(`   ${times}`, marked(sale, line))]
    return [pair(`${line.quantity} ${clip(line.name)}`, marked(sale, line))]
  })
}

const clip = (name: string): string => name.slice(0, name_letters_max)

const priced = (sale: Sale, line: Line): Row => pair(clip(line.name), marked(sale, line))

/** Prints the amount of a line, and its tax rate's letter if there are several rates or the receipt is German. */
const marked = (sale: Sale, line: Line): string =>
  sale.basket.groups.length > 1 || sale.region.language === "de"
    ? `${sale.amount(line.total)} ${rateMark(sale, line.permille)}`
    : sale.amount(line.total)

const heads = {
  en: ["Item", "Qty", "Price"],
  fr: ["Désignation", "Qté", "Montant"],
  nl: ["Artikel", "Aant", "Bedrag"],
  de: ["Artikel", "Anz", "Betrag"],
  es: ["Descripción", "Uds", "Importe"],
  it: ["Descrizione", "Q.tà", "Prezzo"]
}

const columnHead = ({ region }: Sale): Row => columns(heads[region.language], [4, 10])
const columnRow = (sale: Sale, line: Line): Row =>
  columns([clip(line.name), String(line.quantity), marked(sale, line)], [4, 10])

const pump = { en: "Pump", fr: "Pompe", nl: "Pomp", de: "Säule", es: "Surtidor", it: "Pompa" }
const litre = { en: "L", fr: "L", nl: "ltr", de: "Liter", es: "L", it: "lt" }

const fuelRows = (sale: Sale, line: Line): ReadonlyArray<Row> => {
  const { random, region } = sale
  const volume = line.quantity.toFixed(2).replace(".", region.decimal)
  const price = (line.unit_price / 1000).toFixed(3).replace(".", region.decimal)
  const unit = litre[region.language]
  return random.chance(0.5)
    ? [
        pair(`*${pump[region.language]} ${random.whole(1, 12)} ${line.name}`, marked(sale, line)),
        left(`   ${volume} ${unit} x ${price} ${sale.region.currency}/${unit}`)
      ]
    : [
        pair(pump[region.language], String(random.whole(1, 12))),
        pair(line.name, `${volume} ${unit}`),
        pair(`${region.currency}/${unit}`, price),
        pair(sale.words.paid[0] ?? "", marked(sale, line))
      ]
}

/** Prints a discount, and before it the sum of the items without the discount. */
export const discountRows = (sale: Sale): ReadonlyArray<Row> => {
  const { amount, basket, random, region, word } = sale
  if (basket.discount === 0 && !random.chance(0.15) && region.tax_on_top !== true) return []
  const subtotal = pair(word("subtotal"), amount(basket.subtotal))
  if (basket.discount === 0) return [subtotal]
  const rate = printRate(region, basket.discount_percent * 10, 0)
  return [subtotal, pair(`${word("discount")} ${rate}%`, amount(basket.discount))]
}
