import { exponentOf, isCurrency } from "../../../kernel/Currency.ts"
import type { Reading } from "../../../platform/ocr/engines/Reading.ts"
import { markOf } from "../scan/CurrencyMarks.ts"
import { folded } from "../scan/Keywords.ts"
import type { Row } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"

/** Number of decimals of the currency's amounts; 2 when the currency is unknown. */
export const decimalsOf = (currency: string): number => (isCurrency(currency) ? exponentOf(currency) : 2)

/** Currencies that share a sign, the most used one first. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "MXN", "NZD", "SGD", "HKD"],
  // A recognition model that does not know "€" reads it as "£".
  "£": ["GBP"],
  "¥": ["JPY", "CNY"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  Fr: ["CHF"]
}

const meant = (mark: string, home: string, decimals = 0): string => {
  const candidates = shared[mark]
  if (candidates === undefined) return mark
  return candidates.includes(home) ? home : (candidates.find((code) => decimalsOf(code) >= decimals) ?? mark)
}

/**
 * Returns the home currency, or the foreign one that most signs indicate if none indicates the home currency. Numbers
 * on the receipt are read with the decimals of this currency.
 */
export const likelyCurrency = (rows: ReadonlyArray<Row>, home: string): string => {
  const counts = new Map<string, number>()
  for (const { text, words } of rows) {
    const decimals = /\d[.,]\d\d(?!\d)/.test(text) ? 2 : 0
    for (const word of words) {
      const mark = markOf(word.text.replace(/[\d.,'’-]/g, ""))
      const code = mark === undefined ? undefined : meant(mark, home, decimals)
      if (code !== undefined && decimalsOf(code) >= decimals) counts.set(code, (counts.get(code) ?? 0) + 1)
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
 * The organization's currency, unless a foreign one is next to the amount. Signs of both currencies lower the
 * confidence.
 */
export const currencyOf = (
  { scan, source }: { readonly scan: Scan; readonly source: Reading["source"] },
  amounts: ReadonlyArray<LabelledMoney>,
  home: string
): CurrencyReading => {
  const decimals = amounts.some(({ hasDecimals }) => hasDecimals) ? scan.exponent : 0
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
  const currency = meant(mark, home, decimals)
  // A currency without decimals cannot belong to an amount such as 102.00, so its sign is misread.
  if (decimalsOf(currency) < decimals) return { currency: home, confidence: 0.5 }
  const isWritten = mark.length === 3
  const isBeside = amounts.some((amount) => amount.mark === mark)
  const seen = everywhere.filter((code) => code === currency).length
  if (source === "ocr" && mark === "£" && home === "EUR" && !saysSterling(scan)) {
    return { currency: home, confidence: homeMarks > 0 || saysEuro(scan) ? 0.95 : 0.7 }
  }
  if (homeMarks > 0) return { currency, confidence: 0.6 }
  // Some tills print "$" for a home currency that has another sign.
  if (mark === "$" && homeCompany[home]?.test(folded(textOf(scan))) === true) return { currency: home, confidence: 0.9 }
  // The sign may mean another currency, because several countries use it.
  if ((shared[mark]?.length ?? 1) > 1) return { currency, confidence: 0.8 }
  return { currency, confidence: (isWritten && isBeside) || seen > scan.passes ? 0.95 : 0.8 }
}

const marksIn = (row: Row): ReadonlyArray<string> =>
  row.words.flatMap(({ text }) => {
    const mark = markOf(text.replace(/[\d.,'’+-]/g, ""))
    // "fr" and "ft" are also words and initials; only a number next to them makes them a currency.
    return mark === undefined || mark === "Fr" || mark === "HUF" || mark === "TRY" || mark === "RON" || mark === "kr"
      ? []
      : [mark]
  })

const saysSterling = (scan: Scan) =>
  scan.rows.some(({ text }) =>
    /\bGBP\b|\bVAT.{0,12}\bGB(?: ?\d|\b)|\.co\.uk|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/.test(text)
  )

/** True if a row has the name of the value-added tax of a country that uses the euro. */
const saysEuro = (scan: Scan) => scan.rows.some(({ text }) => /\b(?:tva|btw|mwst|iva|ust)\b/.test(folded(text)))

/** Legal forms of companies in countries whose tills print "$" for the home currency. */
const homeCompany: Readonly<Record<string, RegExp>> = { MYR: /\bsdn\.? ?bhd\b|\bs\/b\b/ }

const textOf = (scan: Scan) => scan.rows.map((row) => row.text).join("\n")

const abroad: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\bche[- ]?\d{3}[. ]?\d{3}|\btwint\b|\bpostfinance\b/, ["CHF"]],
  [/\bsales tax\b|\b(?:state|city) tax\b/, ["USD", "CAD"]],
  [/\bgst\b|\bhst\b|\btps\b|\btvq\b/, ["CAD", "AUD", "SGD", "NZD", "INR", "MYR"]]
]

/** True if the receipt shows no currency, but something else suggests a foreign one. */
const hintsAbroad = (scan: Scan, home: string) => {
  const text = folded(textOf(scan))
  return abroad.some(([sign, currencies]) => sign.test(text) && !currencies.includes(home))
}
