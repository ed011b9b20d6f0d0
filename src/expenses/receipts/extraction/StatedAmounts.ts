import { BigDecimal } from "effect"

/** An amount; undefined for one that the document lacks, or whose text is not an amount. */
type Amount = BigDecimal.BigDecimal | undefined

/** The form of amounts in electronic invoices. An exponent would make a number with millions of digits of a short text. */
const amount_text = /^[+-]?\d{1,15}(?:\.\d{1,8})?$/

export const amountOf = (text = ""): Amount => (amount_text.test(text) ? BigDecimal.fromStringUnsafe(text) : undefined)

/** Reads an element that a document may omit, which means zero. */
export const optionalAmount = (text = "0"): Amount => amountOf(text)

/** Returns no sum if one of the amounts is unknown: it would be silently too low. */
export const sumOf = (amounts: ReadonlyArray<Amount>): Amount => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === amounts.length ? BigDecimal.sumAll(known) : undefined
}

export const textOf = (amount: Amount): string | undefined =>
  amount === undefined ? undefined : BigDecimal.format(BigDecimal.normalize(amount))
