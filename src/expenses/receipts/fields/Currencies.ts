import { exponentOf, isCurrency } from "../../../kernel/Currency.ts"
import type { Reading } from "../../../platform/ocr/engines/Reading.ts"
import type { AmountForm } from "../scan/Amounts.ts"
import { markAt } from "../scan/CurrencyMarks.ts"
import { folded } from "../scan/Keywords.ts"
import {
  asideBy,
  codesBesideNumbers,
  type IsAside,
  isCode,
  isHeadingIn,
  isSum,
  mayBeWord
} from "../scan/PrintedCodes.ts"
import type { Row } from "../scan/Rows.ts"
import type { LabelledMoney, Scan } from "../scan/Scan.ts"
import { isPayment } from "./Totals.ts"

/** Number of decimals of the currency's amounts; 2 when the currency is unknown. */
export const decimalsOf = (currency: string): number => (isCurrency(currency) ? exponentOf(currency) : 2)

/**
 * Number of decimals with which the receipt prints its amounts. Prices in Iraqi dinars have none, although ISO 4217
 * defines three decimals, unless a number shows decimals as in 250.00 or 1,250.000.
 */
const printedDecimals = (rows: ReadonlyArray<Row>, currency: string): number =>
  currency === "IQD" && !rows.some(({ text }) => hasCents.test(text) || /\d(?:,\d{3}\.|\.\d{3},)\d{3}/.test(text))
    ? 0
    : decimalsOf(currency)

/** Currencies of which a euro buys several hundred or more. */
const lowValued = new Set(
  (
    "AMD AOA ARS BIF CDF CLP COP CRC GNF HUF IDR IQD IRR KHR KMF KRW KZT LAK LBP LKR MGA MMK MNT MWK NGN PKR PYG RWF " +
    "SDG SOS SSP SYP TZS UGX UZS VES VND XAF XOF YER"
  ).split(" ")
)
/** The largest amount is 10^10 units, which are 100 million euro; with little value, it is the largest expense. */
const units_max = 10_000_000_000
const low_valued_max = 999_999_999_999

export const amountForm = (rows: ReadonlyArray<Row>, currency: string): AmountForm => {
  const exponent = printedDecimals(rows, currency)
  return { exponent, units_max: lowValued.has(currency) ? low_valued_max * 10 ** exponent : units_max }
}

/** Currencies that share a sign, the most used one first. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "MXN", "NZD", "SGD", "HKD", "ARS", "CLP", "COP", "DOP", "TWD", "UYU"],
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
 * Returns the home currency, or the foreign one that most signs indicate if none indicates the home currency, or if a
 * printed code is more frequent than signs of the home currency. Numbers on the receipt are read with the decimals of
 * this currency. One printed code is enough, but a currency without decimals contradicts amounts that have decimals.
 */
export const likelyCurrency = (rows: ReadonlyArray<Row>, home: string): string => {
  const counts = new Map<string, number>()
  const codes = new Set<string>()
  for (const { text, words } of rows) {
    const decimals = /\d[.,]\d\d(?!\d)/.test(text) ? 2 : 0
    for (const at of words.keys()) {
      const mark = markAt(words, at)
      const code = mark === undefined ? undefined : meant(mark, home, decimals)
      if (code === undefined || decimalsOf(code) < decimals) continue
      counts.set(code, (counts.get(code) ?? 0) + 1)
      if (isCode(words[at], code)) codes.add(code)
    }
  }
  const [[likely, count] = [home, 0], ...others] = [...counts].toSorted((a, b) => b[1] - a[1])
  if (counts.has(home)) return codes.has(likely) && count > (counts.get(home) ?? 0) ? likely : home
  if (count >= 2) return likely
  const isOnly = others.length === 0 && codes.has(likely)
  return isOnly && agrees(rows, likely, home) ? likely : home
}

/**
 * True unless the decimals of the numbers contradict a foreign currency. With a home currency of three decimals, 12.500
 * is more likely an amount of this currency than thousands, unless the foreign code stands beside a number.
 */
const agrees = (rows: ReadonlyArray<Row>, foreign: string, home: string): boolean => {
  const areCents = rows.some(({ text }) => hasCents.test(text))
  if (decimalsOf(foreign) === 0 && areCents) return false
  if (decimalsOf(home) <= 2 || decimalsOf(foreign) > 2) return true
  return areCents || codesBesideNumbers(rows, () => false).includes(foreign)
}

/** Matches a number with two decimals that is no part of a date and no rate. */
const hasCents = /(?<![\d.,])\d{1,3}(?:[.,' ]\d{3})*[.,]\d\d(?![\d.,]|\s?%)/

export interface CurrencyReading {
  readonly currency: string
  readonly confidence: number
  /** A sentence about a printed code that does not agree with the currency. */
  readonly doubt?: string
}

interface Evidence {
  readonly scan: Scan
  readonly source: Reading["source"]
}

/** Highest confidence of a currency that a printed code contradicts; such a receipt needs review. */
const contradicted_confidence = 0.5

/**
 * The organization's currency, unless a foreign one is next to the amount. Signs of both currencies lower the
 * confidence. Any other printed code requires a review, unless both total and payment are in the home currency.
 */
export const currencyOf = (
  evidence: Evidence,
  amounts: ReadonlyArray<LabelledMoney>,
  home: string
): CurrencyReading => {
  const isAside = asideBy(evidence.scan, amounts, decimalsOf(home))
  const chosen = chosenCurrency(evidence, amounts, home, isAside)
  const others = codesBesideNumbers(evidence.scan.rows, isAside).filter((code) => code !== chosen.currency)
  if (chosen.doubt !== undefined || others.length === 0 || isSettledIn(home, amounts)) return chosen
  return {
    currency: chosen.currency,
    confidence: Math.min(chosen.confidence, contradicted_confidence),
    doubt: `The receipt also states amounts in ${others.join(" and ")}.`
  }
}

/**
 * True if the total and a payment of the same amount, in another row, state only the home currency. Amounts of other
 * rows are then equivalents, such as the total in euro on a Swiss receipt.
 */
const isSettledIn = (home: string, amounts: ReadonlyArray<LabelledMoney>) => {
  const inHome = amounts.filter(({ mark }) => mark !== undefined && meant(mark, home) === home)
  const totals = inHome.filter(({ concepts }) => concepts.has("total") || concepts.has("due"))
  const payments = inHome.filter((money) => isPaid(money) && totals.some(({ row }) => row !== money.row))
  const rows = [...totals, ...payments].map(({ row }) => row)
  return payments.length > 0 && codesBesideNumbers(rows, () => false).every((code) => code === home)
}

const isPaid = (money: LabelledMoney) =>
  isPayment(money) || (money.concepts.has("cash") && !money.concepts.has("change"))

const chosenCurrency = (
  { scan, source }: Evidence,
  amounts: ReadonlyArray<LabelledMoney>,
  home: string,
  isAside: IsAside
): CurrencyReading => {
  const marksIn = marksBeyond(isAside)
  const decimals = amounts.some(({ hasDecimals }) => hasDecimals) ? scan.exponent : 0
  // An item can cost as much as the total, and a code beside it may be a word.
  const isLabelled = amounts.some(isSum)
  const deciding = amounts.filter((money) => !isLabelled || isSum(money) || !mayBeWord(money.mark ?? ""))
  const own = deciding.flatMap(({ mark }) => mark ?? [])
  const beside = own.length > 0 ? own : deciding.flatMap(({ row }) => marksIn(row))
  const foreign = beside.filter((mark) => meant(mark, home) !== home && mark !== "£")
  const pounds = beside.filter((mark) => mark === "£" && home !== "GBP")
  const everywhere = scan.rows.flatMap(marksIn).map((mark) => meant(mark, home))
  const homeMarks = everywhere.filter((code) => code === home).length
  if (foreign.length === 0 && pounds.length === 0) {
    if (beside.length > 0) return { currency: home, confidence: 0.99 }
    return unmarked(scan, amounts, home, everywhere, decimals)
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

/** Handles a total beside which no known currency is printed. */
const unmarked = (
  scan: Scan,
  amounts: ReadonlyArray<LabelledMoney>,
  home: string,
  everywhere: ReadonlyArray<string>,
  decimals: number
): CurrencyReading => {
  const strange = strangeCode(scan, amounts)
  if (strange !== undefined) {
    const currency = isCurrency(strange) ? strange : home
    return { currency, confidence: 0.5, doubt: `"${strange}" stands beside the total and may be its currency.` }
  }
  if (everywhere.includes(home)) return { currency: home, confidence: 0.99 }
  const [other, ...more] = new Set(everywhere)
  if (other === undefined) {
    return mayHaveThreeDecimals(scan, amounts)
      ? {
          currency: home,
          confidence: 0.6,
          doubt: "No currency is printed, and the total may have three decimals instead of thousands."
        }
      : { currency: home, confidence: hintsAbroad(scan, home) ? 0.6 : 0.95 }
  }
  if (!scan.rows.some(({ words }) => words.some((word) => isCode(word, other)))) {
    return { currency: home, confidence: everywhere.length === 1 ? 0.85 : contradicted_confidence }
  }
  const doubt = `${[other, ...more].join(" and ")} is printed, but not beside the total.`
  const isForeign =
    more.length === 0 &&
    decimalsOf(other) >= decimals &&
    (scan.rows.some((row) => isHeadingIn(row, other)) || hasOtherDecimals(amounts, other, home))
  return isForeign
    ? { currency: other, confidence: 0.8, doubt }
    : { currency: home, confidence: contradicted_confidence, doubt }
}

/** True if the amounts are not printed with the decimals of the home currency, and the other currency has others. */
const hasOtherDecimals = (amounts: ReadonlyArray<LabelledMoney>, other: string, home: string) =>
  decimalsOf(other) !== decimalsOf(home) &&
  !amounts.some(({ row, to }) => {
    const fraction = /[.,](\d+)\D*$/.exec(row.words[to]?.text ?? "")?.[1] ?? ""
    return fraction.length === decimalsOf(home)
  })

/** True if the total is a number such as "12,049", and the currency of this number is unknown. */
const mayHaveThreeDecimals = ({ exponent }: Scan, amounts: ReadonlyArray<LabelledMoney>) =>
  exponent === 2 &&
  amounts.every(
    ({ hasDecimals, row, to }) => !hasDecimals && /^\D*\d{1,3}[.,]\d{3}\D*$/.test(row.words[to]?.text ?? "")
  )

/** Returns letters that stand directly beside the total and another amount, but are neither a mark nor a keyword. */
const strangeCode = ({ amounts: all }: Scan, amounts: ReadonlyArray<LabelledMoney>): string | undefined =>
  amounts
    .flatMap((money) => strangersOf(money).map((code) => ({ code, row: money.row })))
    .find(({ code, row }) =>
      all.some((other) => other.row !== row && other.row.pass === row.pass && strangersOf(other).includes(code))
    )?.code

const strangersOf = ({ from, mark, row: { labels, words }, to }: LabelledMoney): ReadonlyArray<string> =>
  mark !== undefined
    ? []
    : [from - 1, to + 1].flatMap((at) => {
        const code = (words[at]?.text ?? "").replace(/[.:()]/g, "")
        const isKeyword = labels.some((label) => label.from <= at && at <= label.to)
        return /^[A-Z]{2,4}$/.test(code) && !isKeyword ? [code] : []
      })

/** Lists the signs and codes of a row's currencies, without codes that have another meaning. */
const marksBeyond =
  (isAside: IsAside) =>
  (row: Row): ReadonlyArray<string> =>
    row.words.flatMap((_, at) => {
      const mark = markAt(row.words, at)
      // "fr" and "ft" are also words and initials; only a number next to them makes them a currency.
      const isVague = mark === "Fr" || mark === "HUF" || mark === "TRY" || mark === "RON" || mark === "kr"
      return mark === undefined || isVague || isAside(row, at) ? [] : [mark]
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
