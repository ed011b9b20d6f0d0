import { BigDecimal, Struct } from "effect"
import type { ExpenseId } from "../kernel/Ids.ts"
import { searchText } from "../kernel/SearchText.ts"
import { type ExpenseFacts, type ExpenseFindings, netOf } from "./Expense.ts"
import { amountErrors, withTax } from "./ExpenseRules.ts"

type Field = keyof ExpenseFindings

interface Enriched {
  readonly facts: ExpenseFacts
  readonly filled: ReadonlyArray<Field>
  /** Fields on which the expense and its receipt disagree; the expense keeps its own values. */
  readonly conflicts: ReadonlyArray<Field>
}

export interface Enrichment extends Pick<Enriched, "conflicts"> {
  readonly isLocked: boolean
  /** Another expense of the receipt with the same day, amount and currency, and the same reference or none; or null. */
  readonly booked_as: ExpenseId | null
}

const texts = ["vendor", "payment_method", "reference", "receipt_path"] as const
const taxes = ["tax_amount", "tax_rates"] as const

/**
 * Fills empty fields of an expense from its receipt. The tax is filled only if amount and currency agree, and if it
 * keeps the net amount of an expense that is on an invoice, because the invoice line has that amount.
 */
export const enriched = (stored: ExpenseFacts, findings: ExpenseFindings): Enriched => {
  const isOpen = (field: Field) => isEmpty(stored[field]) && !isEmpty(findings[field])
  const conflicts = Struct.keys(findings).filter((field) => isOtherwise(stored[field], findings[field]))
  const facts = { ...stored, ...Struct.pick(findings, texts.filter(isOpen)) }
  const taxed = withTax(facts, {
    tax_amount: facts.tax_amount ?? findings.tax_amount ?? null,
    tax_rates: facts.tax_rates.length > 0 ? facts.tax_rates : (findings.tax_rates ?? [])
  })
  const isItsReceipt = !conflicts.includes("amount") && !conflicts.includes("currency")
  const isKept = stored.billed_invoice_id === null || BigDecimal.equals(netOf(stored), netOf(taxed))
  return isItsReceipt && isKept && Object.keys(amountErrors(taxed)).length === 0
    ? { facts: taxed, filled: [...texts, ...taxes].filter(isOpen), conflicts }
    : { facts, filled: texts.filter(isOpen), conflicts: [...conflicts, ...taxes.filter(isOpen)] }
}

/** Clients may send a blank text for an unknown one. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

/** True if both values are present and differ. Case and accents are ignored, because receipts often print capitals. */
const isOtherwise = (own: unknown, found: unknown): boolean => {
  if (isEmpty(own) || isEmpty(found)) return false
  if (BigDecimal.isBigDecimal(own) && BigDecimal.isBigDecimal(found)) return !BigDecimal.equals(own, found)
  if (Array.isArray(own) && Array.isArray(found)) return !sameRows(own, found)
  return typeof own === "string" && typeof found === "string" && searchText([own]) !== searchText([found])
}

type Rows = ExpenseFacts["tax_rates"]

const sameRows = (own: Rows, found: Rows): boolean =>
  own.length === found.length &&
  own.every(({ rate, tax_amount }) =>
    found.some((row) => BigDecimal.equals(row.rate, rate) && BigDecimal.equals(row.tax_amount, tax_amount))
  )
