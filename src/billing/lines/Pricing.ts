import { BigDecimal, Effect } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import type { Ingredients } from "./IngredientsRepo.ts"
import type { LineItem, LineItemInput } from "./LineItem.ts"
import type { TaxRate } from "./Tax.ts"
import { price, type ResolvedItem } from "./Totals.ts"

/** Every rate that the lines name; one look-up answers for all of them. */
export const ratesNamedBy = (items: ReadonlyArray<LineItemInput>) => items.flatMap((item) => item.tax_rate_ids)

/** The line that each of some new lines is the next version of; undefined for one that the document did not have. */
export type Predecessors = ReadonlyArray<LineItem | undefined>

/** The lines with the rates they name, those of their predecessors as they were, or else the organization's defaults. */
const resolve = (items: ReadonlyArray<LineItemInput>, rates: Ingredients["rates"], predecessors: Predecessors) => {
  const defaults = rates.filter((rate) => rate.is_default)
  const errors: Record<string, ReadonlyArray<string>> = {}
  const resolved = items.map((item, index): ResolvedItem => {
    const before = predecessors[index]
    if (item.tax_exempt) return { ...item, tax_rates: [] }
    if (item.tax_rate_ids.length === 0) return { ...item, tax_rates: isUntaxed(before) ? [] : defaults }
    const candidates: ReadonlyArray<TaxRate> = [...(before?.tax_rates ?? []), ...rates]
    const named = item.tax_rate_ids.flatMap((id, position) => {
      const rate = candidates.find((candidate) => candidate.id === id)
      if (rate !== undefined) return [rate]
      const field = `items.${index}.tax_rate_ids.${position}`
      errors[field] = [`The ${field} field must name a tax rate of the organization.`]
      return []
    })
    return { ...item, tax_rates: named }
  })
  return { resolved, errors }
}

/** A line without rates that is not exempt: the organization had no default rate when it was written. */
const isUntaxed = (line: LineItem | undefined): boolean =>
  line !== undefined && !line.tax_exempt && line.tax_rates.length === 0

/** Lines of an existing document, to be priced again with the very rates they were priced with. */
export const repeat = (items: ReadonlyArray<LineItem>): ReadonlyArray<ResolvedItem> =>
  items.map(({ tax_rates, ...item }) => ({ ...item, tax_rates }))

/** `numeric(18,6)` holds twelve digits before the point. */
const total_limit = BigDecimal.make(1n, -12)

const isTooLarge = (amount: BigDecimal.BigDecimal) =>
  BigDecimal.isGreaterThanOrEqualTo(BigDecimal.abs(amount), total_limit)

/** Prices lines in a currency; totals that no document may have are refused on `items`. */
export const priced = (items: ReadonlyArray<ResolvedItem>, currency: CurrencyCode, ids: Ingredients["item_ids"]) => {
  const totals = price(items, currency)
  if (BigDecimal.isNegative(totals.total)) {
    return Effect.fail(ValidationFailed.of({ items: ["The items field must not add up to a negative total."] }))
  }
  const { discount_total, subtotal, tax_total, total } = totals
  const amounts = [...totals.items.map((item) => item.line_subtotal), subtotal, discount_total, tax_total, total]
  if (amounts.some(isTooLarge)) {
    const limit = BigDecimal.format(total_limit)
    return Effect.fail(ValidationFailed.of({ items: [`The items field must stay below ${limit}.`] }))
  }
  return Effect.succeed({
    ...totals,
    items: totals.items.map((item, index) => ({ ...item, id: ids[index] ?? item.id }))
  })
}

/** The lines with their rates, when the organization has those they name. */
export const resolved = (items: ReadonlyArray<LineItemInput>, rates: Ingredients["rates"]) => {
  const { errors, resolved } = resolve(items, rates, [])
  return Object.keys(errors).length > 0 ? Effect.fail(ValidationFailed.of(errors)) : Effect.succeed(resolved)
}

/** Resolves the rates and the customer that a client named, and prices the lines. */
export const pricedInput = (
  items: ReadonlyArray<LineItemInput>,
  currency: CurrencyCode,
  found: Ingredients,
  predecessors: Predecessors = []
) => {
  const { errors, resolved } = resolve(items, found.rates, predecessors)
  const all: FieldErrors =
    found.customer === null
      ? { customer_id: ["The customer_id field must name a customer of the organization."], ...errors }
      : errors
  if (Object.keys(all).length > 0) return Effect.fail(ValidationFailed.of(all))
  return priced(resolved, currency, found.item_ids)
}

/** Refuses a sum that no column holds. */
export const requireStorable = (field: string, sum: BigDecimal.BigDecimal) =>
  isTooLarge(sum) ? Effect.fail(ValidationFailed.of({ [field]: [`The ${field} field is too large.`] })) : Effect.void

/** Refuses an amount finer than the currency's smallest coin. */
export const requireExponent = (field: string, amount: BigDecimal.BigDecimal, currency: CurrencyCode) => {
  const exponent = exponentOf(currency)
  if (fitsExponent(amount, exponent)) return Effect.void
  const message = `The ${field} field may not have more than ${exponent} decimal places in ${currency}.`
  return Effect.fail(ValidationFailed.of({ [field]: [message] }))
}
