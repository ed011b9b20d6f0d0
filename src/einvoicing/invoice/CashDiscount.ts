import { cash_discount } from "../../billing/printing/CashDiscounts.ts"

/** Matches the text from the first to the last # of a line, as the regular expression of the official rule does. */
const between_hashes = /#.+#/g

/** True if each line that begins with # is a valid cash discount, and a line break follows the last one. */
export const hasValidDiscountTerms = (terms: string): boolean => {
  const marked = terms
    .split(/\r?\n/)
    .map(normalized)
    .filter((line) => line.startsWith("#"))
  if (marked.length === 0) return true
  return (
    marked.every((line) => cash_discount.test(line)) && /^[ \t\r\n]*\n/.test(terms.split(between_hashes).at(-1) ?? "")
  )
}

/** Adds a line break when the last line is a cash discount, because Germany requires one after each of them. */
export const withDiscountLineEnded = (terms: string): string =>
  cash_discount.test(normalized(terms.split(/\r?\n/).at(-1) ?? "")) ? `${terms}\n` : terms

const normalized = (line: string): string => line.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "")
