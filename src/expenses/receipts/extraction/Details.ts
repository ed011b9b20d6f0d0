import { Schema } from "effect"
import { CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { type Concept, folded } from "../scan/Keywords.ts"
import { merchantIn, type MerchantKind } from "../scan/Merchants.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import type { Row } from "../scan/Rows.ts"
import { markOf } from "../scan/CurrencyMarks.ts"
import { categoryWords } from "../scan/CategoryWords.ts"

const isCurrency = Schema.is(CurrencyCode)

/** Decimals of the currency's amounts; 2 where it is unknown. */
export const decimalsOf = (currency: string): number => (isCurrency(currency) ? exponentOf(currency) : 2)

/** What a sign shared by several currencies may mean, the most used one first. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "MXN", "NZD", "SGD", "HKD"],
  // An engine that knows no "€" reads it as "£".
  "£": ["GBP"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  Fr: ["CHF"]
}

const meant = (mark: string, home: string): string => {
  const candidates = shared[mark]
  if (candidates === undefined) return mark
  return candidates.includes(home) ? home : (candidates[0] ?? mark)
}

/** The currency with decimals unlike the home currency's that most marks name, for reading the numbers at all. */
export const likelyCurrency = (rows: ReadonlyArray<Row>, home: string): string => {
  const counts = new Map<string, number>()
  for (const { words } of rows) {
    for (const { text } of words) {
      const mark = markOf(text.replace(/[\d.,'’-]/g, ""))
      if (mark !== undefined) counts.set(meant(mark, home), (counts.get(meant(mark, home)) ?? 0) + 1)
    }
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most !== undefined && most[1] >= 2 && !counts.has(home) ? most[0] : home
}

export interface CurrencyReading {
  readonly currency: string
  readonly confidence: number
}

/**
 * The organization's currency, unless a foreign sign or code stands beside the chosen amount. A stray sign elsewhere
 * decides nothing, but the two together are never sure.
 */
export const currencyOf = (scan: Scan, amounts: ReadonlyArray<LabelledMoney>, home: string): CurrencyReading => {
  const beside = amounts.flatMap(({ mark, row }) => [...(mark === undefined ? [] : [mark]), ...marksIn(row)])
  const foreign = beside.filter((mark) => meant(mark, home) !== home && mark !== "£")
  const pounds = beside.filter((mark) => mark === "£" && home !== "GBP")
  const everywhere = scan.rows.flatMap(marksIn).map((mark) => meant(mark, home))
  const homeMarks = everywhere.filter((code) => code === home).length
  if (foreign.length === 0 && pounds.length === 0) {
    if (beside.length > 0 || homeMarks > 0) return { currency: home, confidence: 0.99 }
    const others = everywhere.length
    return {
      currency: home,
      confidence: others === 0 ? (hintsAbroad(scan, home) ? 0.6 : 0.95) : others === 1 ? 0.85 : 0.5
    }
  }
  const mark = foreign[0] ?? "£"
  const currency = meant(mark, home)
  const isWritten = mark.length === 3
  const isBeside = amounts.some((amount) => amount.mark === mark)
  const seen = everywhere.filter((code) => code === currency).length
  if (mark === "£" && home === "EUR" && !saysSterling(scan)) {
    return { currency: home, confidence: homeMarks > 0 || saysEuro(scan) ? 0.95 : 0.7 }
  }
  if (homeMarks > 0) return { currency, confidence: 0.6 }
  return { currency, confidence: (isWritten && isBeside) || seen > scan.passes ? 0.95 : 0.8 }
}

const marksIn = (row: Row): ReadonlyArray<string> =>
  row.words.flatMap(({ text }) => {
    const mark = markOf(text.replace(/[\d.,'’+-]/g, ""))
    // "fr" and "ft" are words and initials, too; only a number beside them makes them money.
    return mark === undefined || mark === "Fr" || mark === "HUF" || mark === "TRY" || mark === "RON" || mark === "kr"
      ? []
      : [mark]
  })

const saysSterling = (scan: Scan) =>
  scan.rows.some(({ text }) => /\bGBP\b|\bVAT.{0,12}\bGB\b|\.co\.uk|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/.test(text))

/** Names of the tax in countries of the euro. */
const saysEuro = (scan: Scan) => scan.rows.some(({ text }) => /\b(?:tva|btw|mwst|iva|ust)\b/.test(folded(text)))

const abroad: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\bche[- ]?\d{3}[. ]?\d{3}|\btwint\b|\bpostfinance\b/, ["CHF"]],
  [/\bsales tax\b|\b(?:state|city) tax\b/, ["USD", "CAD"]],
  [/\bgst\b|\bhst\b|\btps\b|\btvq\b/, ["CAD", "AUD", "SGD", "NZD", "INR", "MYR"]]
]

/** No currency is printed, and something else says that it is not the organization's. */
const hintsAbroad = (scan: Scan, home: string) => {
  const text = scan.rows.map((row) => folded(row.text)).join("\n")
  return abroad.some(([sign, currencies]) => sign.test(text) && !currencies.includes(home))
}

const reference_length_max = 30
const reference_digits_min = 2
/** Without a word for "number" a shorter one may be a table or a till. */
const unmarked_digits_min = 4
const referenceText = /^[#:№]?(?=.{0,29}\d)[A-Z0-9][A-Z0-9/_.-]{0,29}$/i
const numberWord = /^(?:n|n[°ºo*]|nr|no|num|numero|number|nummer|#)[.:#°º*]*$|^[#:№]$/i
const numberEnding = /(?:nr|no|number|nummer|numero|n[°º]?|#)[.:#]*$/
const documentWord = /fact|invoice|rechnung|fattura/

/** The number that the seller gave the document: an invoice's before a receipt's, a marked one before a bare one. */
export const referenceOf = (scan: Scan): string | undefined => {
  const dated = Map.groupBy(scan.dates, ({ row }) => row)
  const found = scan.rows.flatMap((row, index) =>
    row.labels
      .filter(({ concept }) => concept === "reference")
      .flatMap(({ from, to }) => {
        const texts = row.words.map(({ text }) => text)
        const label = folded(texts.slice(from, to + 1).join(" "))
        const at = texts.findIndex((text, place) => place > to && !numberWord.test(text))
        const value = texts[at] ?? ""
        const isDate = dated.get(row)?.some((date) => at >= date.from && at <= date.to) ?? false
        if (at < 0 || isDate || !isReference(value)) return []
        const isMarked =
          at > to + 1 || numberEnding.test(label) || /^[#№]/.test(value) || numberWord.test(texts[from - 1] ?? "")
        if (!isMarked && value.replace(/\D/g, "").length < unmarked_digits_min) return []
        const weight = Number(documentWord.test(label)) * 2 + Number(isMarked) * 3 - index / scan.rows.length
        return [{ weight, text: value.replace(/^[#:№]+/, "").replace(/[.,:;]+$/, "") }]
      })
  )
  const [best] = found.toSorted((a, b) => b.weight - a.weight)
  return best?.text.slice(0, reference_length_max)
}

const isReference = (text: string) =>
  referenceText.test(text) &&
  !/^\d{1,2}[:.]\d\d(?::\d\d)?$/.test(text) &&
  text.replace(/\D/g, "").length >= reference_digits_min

const transfer = new RegExp(
  "\\b(?:virement|uberweisung|overschrijving|transferencia|bonifico|bank transfer|zahlbar|echeance|vervaldatum|" +
    "scadenza|due date)\\b"
)

/** A payment method as payments name it. */
export const paymentMethodOf = (scan: Scan): string | undefined => {
  const said = (concept: Concept) => scan.rows.some((row) => row.labels.some((label) => label.concept === concept))
  const text = scan.rows.map((row) => folded(row.text)).join("\n")
  if (/\bpaypal\b/.test(text)) return "paypal"
  if (
    /\b(?:lastschrift|sepa direct debit|prelevement sepa|domiciliering|domiciliation|addebito diretto|incasso)\b/.test(
      text
    )
  )
    return "direct_debit"
  const paid = (concept: Concept) => scan.amounts.filter(({ concepts }) => concepts.has(concept))
  const isPaid = (concept: Concept) => paid(concept).some(({ units }) => units > 0)
  if (isPaid("cash") && (isPaid("change") || !isPaid("card"))) return "cash"
  // A means with nothing paid is one of a list that the till prints.
  if (said("card") && (isPaid("card") || paid("card").length === 0)) return "card"
  if (said("cash")) return "cash"
  if (/\biban\b/.test(text) && transfer.test(text)) return "bank_transfer"
  return undefined
}

const kindCategories: Readonly<Partial<Record<MerchantKind, string>>> = {
  fuel: "vehicle",
  travel: "travel",
  meals: "meals",
  repairs: "repairs",
  office_supplies: "office_supplies",
  equipment: "equipment",
  telecom: "telecom",
  shipping: "shipping",
  software: "software"
}

const words_min = 2

export const categoryOfVendor = (vendor: string): string | undefined => {
  const kind = merchantIn(vendor)
  return kind && kindCategories[kind]
}

/** None unless the seller is known or at least two different words agree and no other category has as many. */
export const categoryOf = (scan: Scan, vendor: string | undefined): string | undefined => {
  const rows = scan.rows.filter((row) => row.position < 0.25 && row.page === 0).slice(0, 12)
  const kind = [vendor ?? "", ...rows.map((row) => row.text)].map(merchantIn).find((one) => one !== undefined)
  if (kind !== undefined && (kindCategories[kind] !== undefined || kind === "groceries")) return kindCategories[kind]
  const text = scan.rows.map((row) => folded(row.text)).join("\n")
  const counts = categoryWords
    .map(([category, words]) => ({ category, count: new Set(text.match(words)).size }))
    .toSorted((a, b) => b.count - a.count)
  const [first, second] = counts
  return first !== undefined && first.count >= words_min && first.count > (second?.count ?? 0)
    ? first.category
    : undefined
}
