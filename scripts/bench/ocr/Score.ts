import type { Truth } from "./receipts/Receipt.ts"

/** The extracted fields as strings, in the formats of the API; a value that was not found has no key. */
export interface Extracted {
  readonly status: "done" | "needs_review" | "failed"
  readonly fields: Partial<Omit<Truth, "tax_rates" | "payment_method">> & {
    readonly payment_method?: string
    readonly tax_rates?: Truth["tax_rates"]
  }
}

export const scored = [
  "amount",
  "expense_date",
  "currency",
  "vendor",
  "tax_amount",
  "tax_rates",
  "reference",
  "payment_method",
  "category"
] as const
export type Scored = (typeof scored)[number]

/** `unsaid` means that the paper does not state the value, so that no result is right or wrong. */
export type Verdict = "right" | "wrong" | "missing" | "unsaid"

export const verdicts = ({ fields }: Extracted, truth: Truth): Readonly<Record<Scored, Verdict>> => ({
  amount: compared(fields.amount, truth.amount, sameNumber),
  expense_date: compared(fields.expense_date, truth.expense_date, same),
  currency: compared(fields.currency, truth.currency, same),
  vendor: compared(fields.vendor, truth.vendor, sameVendor),
  tax_amount: compared(fields.tax_amount, truth.tax_amount, sameNumber),
  tax_rates: compared(
    fields.tax_rates === undefined ? undefined : rowsText(fields.tax_rates),
    truth.tax_rates.length === 0 ? undefined : rowsText(truth.tax_rates),
    same
  ),
  reference: compared(fields.reference, truth.reference, same),
  payment_method: compared(fields.payment_method, truth.payment_method, same),
  category: compared(fields.category, truth.category, same)
})

type Equal = (found: string, truth: string) => boolean

const compared = (found: string | undefined, truth: string | undefined, equal: Equal): Verdict => {
  if (truth === undefined) return "unsaid"
  if (found === undefined) return "missing"
  return equal(found, truth) ? "right" : "wrong"
}

const same: Equal = (found, truth) => found.trim() === truth
const sameNumber: Equal = (found, truth) => Number(found) === Number(truth)

/** Returns a text of the tax rows for comparison. It ignores the order of the rows and rows with a rate of zero. */
const rowsText = (rows: Truth["tax_rates"]): string =>
  rows
    .filter(({ rate }) => Number(rate) !== 0)
    .map((row) => [row.rate, row.taxable_amount, row.tax_amount].map(Number).join(" "))
    .toSorted()
    .join("\n")

const legalForm = /\b(?:ltd|inc|llc|plc|co|gmbh|kg|ag|eg|ek|sarl|sas|sa|srl|snc|spa|sl|bv|nv)\b/g
/** Malaysian legal forms are a large part of a name. Names that differ with them are compared again without them. */
const longForm = /(?:(?:sdn)?bhd|sb)$/

const plain = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/\b(\p{L})\.(?=\p{L}\.)/gu, "$1")
    .replace(/(?<=\p{L})\.(?=\p{L})|\./gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(legalForm, "")
    .replace(/ /g, "")
    .replace(/^wel?cometo/, "")

/** If one name contains the other, the shorter one must have at least this share of the longer one's length. */
const part_share_min = 0.6
/** A name may differ from the right one by one letter for each group of this many letters. */
const letters_per_mistake = 8
/** Minimum number of letters in a row of a label that counts as the name of the vendor. */
const row_letters_min = 5

/** A label may have several rows, such as brand, company and branch; each of them names the vendor. */
const sameVendor: Equal = (found, truth) => {
  const rows = truth.split("\n")
  const names = [rows.join(" "), ...(rows.length === 1 ? [] : rows.filter((row) => isName(row, rows)))]
  return names.some(
    (name) =>
      isAlike(plain(found), plain(name)) || isAlike(withoutForm(found), withoutForm(name)) || isCompany(found, name)
  )
}

const kindOfShop =
  /^(?:restaurante?|bar|grill|cafe|coffee|taqueria|pizzeria|hotel|store|super|(?:super)?market|cent(?:er|re))$/

/** False for a row that is a word for a kind of shop, or a part of the name in another row. */
const isName = (row: string, rows: ReadonlyArray<string>): boolean => {
  const name = plain(row)
  const isPart = rows.map(plain).some((other) => other.includes(name) && name.length < part_share_min * other.length)
  return name.length >= row_letters_min && !kindOfShop.test(name) && !isPart
}

const formAtEnd = /\W(?:gmbh\b.*|m\.?b\.?h|ag|k\.?g|ltd|inc|llc|plc|s\.?a\.?r\.?l|b\.?v|n\.?v|(?:sdn\.? ?)?bhd)\W*$/i

/** True if `found` is a company's name that begins with the brand in the label, because both name the same vendor. */
const isCompany = (found: string, brand: string): boolean => {
  const words = found.split(/[\s,-]+/)
  return formAtEnd.test(found) && words.some((_, at) => plain(words.slice(0, at + 1).join(" ")) === plain(brand))
}

const withoutForm = (name: string) => plain(name).replace(longForm, "")

const isAlike = (found: string, truth: string): boolean => {
  const [short, long] = found.length < truth.length ? [found, truth] : [truth, found]
  if (short.length >= part_share_min * long.length && short !== "" && long.includes(short)) return true
  return distance(short, long) <= Math.floor(long.length / letters_per_mistake)
}

/** Returns the number of letters to change, insert or delete between two texts (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of from.split("").entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++) {
      const changed = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
