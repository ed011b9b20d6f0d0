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

/** True for a total before and after cash rounding. Receipts show both, and labels state either of them. */
export const differsByRounding = (found: string | undefined, truth: string | undefined): boolean => {
  const [paid, total] = [Math.round(100 * Number(found)), Math.round(100 * Number(truth))]
  return paid !== total && Math.abs(paid - total) <= 2 && (paid % 5 === 0 || total % 5 === 0)
}

/** True if the name nearly equals one row of the label, which may have rows for the brand, company and branch. */
export const namesRow = (found: string | undefined, label: string | undefined): boolean => {
  const name = plain(found ?? "")
  const rows = (label ?? "").split(" ").map(plain)
  return rows.some((row) => row.length >= row_letters_min && distance(name, row) <= row.length / letters_per_mistake)
}

/** Returns a text of the tax rows for comparison. It ignores the order of the rows and rows with a rate of zero. */
const rowsText = (rows: Truth["tax_rates"]): string =>
  rows
    .filter(({ rate }) => Number(rate) !== 0)
    .map((row) => [row.rate, row.taxable_amount, row.tax_amount].map(Number).join(" "))
    .toSorted()
    .join("\n")

const legalForm = /\b(?:ltd|inc|llc|plc|co|gmbh|kg|ag|eg|ek|sarl|sas|sa|srl|snc|spa|sl|bv|nv)\b/g
/** Malaysian legal forms. They are a large part of a name, so they are removed only if the names differ with them. */
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

/** If one name contains the other, the shorter one must have at least this share of the longer one's length. */
const part_share_min = 0.6
/** A name may differ from the right one by one letter for each group of this many letters. */
const letters_per_mistake = 8
/** Minimum number of letters in a row of a label that counts as the name of the vendor. */
const row_letters_min = 5

const sameVendor: Equal = (found, truth) =>
  isAlike(plain(found), plain(truth)) || isAlike(withoutForm(found), withoutForm(truth))

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
