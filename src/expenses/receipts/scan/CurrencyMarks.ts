import type { Word } from "../../../platform/ocr/engines/Reading.ts"
import { isCurrency } from "../../../kernel/Currency.ts"

const signs: Readonly<Record<string, string>> = {
  "€": "EUR",
  eur: "EUR",
  euro: "EUR",
  euros: "EUR",
  $: "$",
  us$: "USD",
  usd: "USD",
  "£": "£",
  "￡": "£",
  gbp: "GBP",
  chf: "CHF",
  sfr: "CHF",
  fr: "Fr",
  "¥": "¥",
  "￥": "¥",
  jpy: "JPY",
  sek: "SEK",
  nok: "NOK",
  dkk: "DKK",
  kr: "kr",
  pln: "PLN",
  zł: "PLN",
  czk: "CZK",
  kč: "CZK",
  huf: "HUF",
  ft: "HUF",
  ron: "RON",
  lei: "RON",
  cad: "CAD",
  ca$: "CAD",
  c$: "CAD",
  aud: "AUD",
  a$: "AUD",
  rm: "MYR",
  myr: "MYR",
  try: "TRY",
  "₺": "TRY",
  inr: "INR",
  "₹": "INR",
  sgd: "SGD",
  s$: "SGD",
  hkd: "HKD",
  aed: "AED",
  mxn: "MXN",
  cny: "CNY",
  bgn: "BGN",
  isk: "ISK"
}

/** Codes of ISO 4217 that also stand beside numbers with another meaning, as in "AMD 5600" and "12 KGS". */
const words = new Set("ALL AMD BAM CHE CUP GEL KGS LAK MNT MOP PEN PHP SOS SVC TOP".split(" "))

/** "$", "£", "¥", "kr" and "Fr" are returned unchanged, because several currencies use them. */
export const markOf = (text: string): string | undefined => {
  const bare = text.replace(/[.:()*]/g, "")
  // Codes other than the euro's must be in capitals, because "cad" and "try" are also words or parts of words.
  if (/^(?!eur)[a-z]{3}$/i.test(bare) && bare !== bare.toUpperCase()) return undefined
  return signs[bare.toLowerCase()] ?? (isCurrency(bare) && !words.has(bare) ? bare : undefined)
}

/** The mark of a word, beside which digits may be printed. In "SDN BHD", "BHD" is the legal form of a company. */
export const markAt = (line: ReadonlyArray<Word>, at: number): string | undefined => {
  const mark = markOf((line[at]?.text ?? "").replace(/[\d.,'’+-]/g, ""))
  return mark === "BHD" && /^sdn\b/i.test(line[at - 1]?.text ?? "") ? undefined : mark
}
