import { addDays, type DayOfYear } from "../Formats.ts"
import { share } from "../Money.ts"
import { center, fitted, gap, left, pair, rule, type Roll, type Row } from "./Paper.ts"
import type { TaxDetail } from "../Receipt.ts"
import type { Sale } from "../Sale.ts"
import { discountRows, itemRows } from "./TillItems.ts"
import { paymentRows, totalRows } from "./TillPayment.ts"
import { saysTax, taxPart, type TaxPart } from "./TillTaxes.ts"

/** The receipt, and how much it states about the tax: the rates, only the sum, or nothing. */
export const rollOf = (sale: Sale): { readonly roll: Roll; readonly taxes: TaxDetail } => {
  const { random } = sale
  const isSaid = saysTax(sale)
  const line = rule(random.pick(["-", "-", "=", "*", ".", "_", "line"]))
  const taxes: TaxPart = isSaid ? taxPart(sale) : { rows: [], detail: "none" }
  const tax = taxes.rows.length === 0 ? [] : [gap, ...taxes.rows]
  const payment = [gap, ...paymentRows(sale)]
  const middle = random.chance(0.5) ? [...tax, ...payment] : [...payment, ...tax]
  const body = [...itemRows(sale), line, ...discountRows(sale), ...totalRows(sale), ...middle]
  const rows = [...headRows(sale), line, ...metaRows(sale), ...kindRows(sale), line, ...body, line, ...footRows(sale)]
  return { taxes: taxes.detail, roll: fitted({ ...typography(sale), rows }) }
}

/** Most tills print letters of equal width. The half-width Latin letters of Noto Sans JP resemble them most. */
const fonts = [
  { font: "Noto Sans JP", advance: 0.5, even: true },
  { font: "Noto Sans JP", advance: 0.5, even: true },
  { font: "Noto Sans JP", advance: 0.5, even: true },
  { font: "DejaVu Sans Mono", advance: 0.602, even: true },
  { font: "Noto Sans", advance: 0.56, even: false },
  { font: "Vazirmatn", advance: 0.56, even: false }
]

const typography = ({ random }: Sale) => {
  const narrow = random.chance(0.3)
  const { advance, even, font } = random.pick(fonts)
  return {
    font,
    advance,
    letters_per_line: narrow ? random.whole(30, 34) : random.whole(38, 46),
    stretch: even ? random.pick([0.85, 1, 1, 1.15]) : 1,
    leading: random.between(1.15, 1.5),
    paper_mm: narrow ? 58 : 80,
    margin_mm: random.between(2.5, 6)
  }
}

const headRows = ({ random, vendor, word }: Sale): ReadonlyArray<Row> => {
  const shape = random.pick(["boxed", "serif", "plain", "none", "none"] as const)
  const name: Row =
    shape === "none"
      ? center(vendor.name, { size: random.pick([1, 1.4, 1.8]), bold: random.chance(0.6) })
      : { kind: "logo", text: vendor.name, shape }
  const address = vendor.address.map((line) => center(line))
  const contact = [center(vendor.phone), center(vendor.tax_number), center(vendor.domain)]
  const shown = random.sample(contact, random.whole(1, 3))
  const title = random.chance(0.3) ? [gap, center(word("receipt"), { size: 1.2, bold: true })] : []
  return [name, ...(shape === "none" ? [] : [gap]), ...address, ...shown, ...title]
}

const names = ["Anna", "Marc", "Sofie", "Luca", "Ines", "Tom", "Kasse 2", "0417"]

/** Prints the receipt number, the day and the cashier in one of four arrangements. */
const metaRows = (sale: Sale): ReadonlyArray<Row> => {
  const { date, day, random, reference, time, word } = sale
  const printed = date(day)
  const seconds = random.chance(0.3) ? `${time}:${random.code("3#")}` : time
  const clerk = `${word("cashier")}: ${random.pick(names)}`
  const label = (key: "date" | "time") => word(key).replace(/ ?:$/, "")
  switch (random.whole(0, 3)) {
    case 0:
      return [pair(`${word("number")} ${reference}`, `${printed} ${seconds}`), left(clerk)]
    case 1:
      return [
        pair(`${label("date")}: ${printed}`, `${label("time")}: ${seconds}`),
        left(`${word("number")}: ${reference}`),
        left(clerk)
      ]
    case 2:
      return [left(clerk), pair(word("number"), reference), pair(label("date"), printed), pair(label("time"), seconds)]
    default:
      return [left(`${printed}  ${seconds}  ${word("number")} ${reference}`)]
  }
}

const route = {
  en: ["From", "To", "Distance", "Travel date", "Class 2", "Guest", "Arrival", "Departure"],
  fr: ["De", "A", "Distance", "Voyage le", "Classe 2", "Client", "Arrivée", "Départ"],
  nl: ["Van", "Naar", "Afstand", "Reisdatum", "Klasse 2", "Gast", "Aankomst", "Vertrek"],
  de: ["Von", "Nach", "Strecke", "Reisetag", "Klasse 2", "Gast", "Anreise", "Abreise"],
  es: ["Origen", "Destino", "Distancia", "Fecha de viaje", "Clase 2", "Cliente", "Entrada", "Salida"],
  it: ["Da", "A", "Distanza", "Data viaggio", "Classe 2", "Cliente", "Arrivo", "Partenza"]
}

/** Prints lines that only this kind of shop has. Their dates mislead a reader that takes the first date it finds. */
const kindRows = (sale: Sale): ReadonlyArray<Row> => {
  const { basket, buyer, date, day, kind, random, region, word } = sale
  const [from = "", to = "", distance = "", travel = "", second = "", guest = "", arrival = "", departure = ""] =
    route[region.language]
  const [start = "", end = ""] = random.sample(region.cities, 2)
  switch (kind) {
    case "restaurant":
      return [left(`${word("table")} ${random.whole(1, 40)}`)]
    case "taxi":
      return [
        left(`Taxi ${random.code("###")}`),
        left(`${distance}: ${random.whole(2, 39)}${region.decimal}${random.code("#")} km`)
      ]
    case "train":
      return [
        left(`${from}: ${start}`),
        left(`${to}: ${end}`),
        left(second),
        pair(travel, date(random.chance(0.5) ? day : addDays(day, random.whole(1, 20))))
      ]
    case "hotel": {
      const nights = basket.lines[0]?.quantity ?? 1
      const first: DayOfYear = addDays(day, -nights)
      return [left(`${guest}: ${buyer.name}`), left(buyer.city), pair(arrival, date(first)), pair(departure, date(day))]
    }
    default:
      return []
  }
}

const footRows = (sale: Sale): ReadonlyArray<Row> => {
  const { amount, basket, date, day, kind, random, vendor, word } = sale
  const rows: Array<Row> = []
  const pieces = basket.lines.reduce((count, line) => count + line.quantity, 0)
  const shop = kind === "supermarket" || kind === "hardware" || kind === "pharmacy"
  if (shop && random.chance(0.4)) rows.push(left(`${word("articles")}: ${pieces}`))
  if (shop && random.chance(0.25)) rows.push(pair(word("saved"), amount(share(basket.subtotal, 7))))
  if (shop && random.chance(0.3))
    rows.push(center(`${word("voucher")} ${date(addDays(day, random.pick([14, 30, 60])))}`))
  rows.push(center(word("thanks")))
  if (random.chance(0.25)) rows.push(center(vendor.domain))
  if (random.chance(0.35)) rows.push({ kind: "bars", widths: Array.from({ length: 60 }, () => random.whole(1, 3)) })
  return rows
}
