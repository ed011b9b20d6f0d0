import { BigDecimal, Effect } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { type FieldErrors, ValidationFailed } from "../../kernel/Refusal.ts"
import { allocate, fitsExponent, zero } from "../../kernel/Money.ts"
import type { Ingredients } from "./IngredientsRepo.ts"
import { foreignSupply, foreignSupplyError } from "./IntraCommunity.ts"
import { type LineItem, LineItemId, type LineItemInput } from "./LineItem.ts"
import { areTaxedAlike, type TaxGroup, type TaxRate } from "./Tax.ts"
import type { Adjustment } from "./Adjustment.ts"
import { adjustmentErrors, type AdjustmentsInput, negativeAdjustment, resolveAdjustments } from "./Adjusting.ts"
import {
  type Adjustments,
  price,
  type ResolvedAdjustment,
  type ResolvedItem,
  type Totals,
  unadjusted,
  weightsOf
} from "./Totals.ts"

/** Returns the ids of all rates that lines, discounts and charges refer to, so that one query reads them all. */
export const ratesNamedBy = (...parts: ReadonlyArray<Naming | null | undefined>) =>
  parts.flatMap((part) => part ?? []).flatMap(({ tax_rate_ids }) => tax_rate_ids)
type Naming = ReadonlyArray<Pick<LineItemInput, "tax_rate_ids">>

type Sources = Pick<Ingredients, "rates" | "seller">

/** For each line of a request, the stored line that it replaces; undefined for an added line. */
type Predecessors = ReadonlyArray<LineItem | undefined>

/**
 * Resolves the rates of the lines: a requested rate in the version that the replaced line already has, else in the
 * current one. A line without requested rates gets the default rates.
 */
const resolve = (items: ReadonlyArray<LineItemInput>, { rates, seller }: Sources, predecessors: Predecessors) => {
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
      errors[field] = [`The ${field} field must name a tax rate of the organization that is not archived.`]
      return []
    })
    return { ...item, tax_rates: named }
  })
  for (const [index, item] of resolved.entries()) {
    const claim = foreignSupply(seller, item)
    if (claim !== undefined) errors[`items.${index}.${claim}`] = [foreignSupplyError(`items.${index}.${claim}`)]
  }
  return { resolved, errors }
}

/** True for a line saved while the organization had no default rate: it has no rates but is not exempt. */
const isUntaxed = (line: LineItem | undefined): boolean =>
  line !== undefined && !line.tax_exempt && line.tax_rates.length === 0

/** The column type `numeric(18,6)` holds twelve digits before the decimal point. */
const total_limit = BigDecimal.make(1n, -12)

const isTooLarge = (amount: BigDecimal.BigDecimal) =>
  BigDecimal.isGreaterThanOrEqualTo(BigDecimal.abs(amount), total_limit)

export const priced = Effect.fnUntraced(function* (
  items: ReadonlyArray<ResolvedItem>,
  currency: CurrencyCode,
  ids: Ingredients["item_ids"],
  adjustments: Adjustments<ResolvedAdjustment> = unadjusted
) {
  const unfit = adjustmentErrors(adjustments, items, currency)
  if (Object.keys(unfit).length > 0) return yield* ValidationFailed.of(unfit)
  const totals = price(items, currency, adjustments)
  const negative = negativeAdjustment(totals)
  if (negative !== undefined)
    return yield* ValidationFailed.field(negative, "may not be a percentage of lines with a negative sum.")
  if (BigDecimal.isNegative(totals.total)) {
    const field = totals.discounts.length > 0 ? "discounts" : "items"
    return yield* ValidationFailed.field(field, "must not add up to a negative total.")
  }
  if (amountsOf(totals).some(isTooLarge)) {
    return yield* ValidationFailed.field("items", `must stay below ${BigDecimal.format(total_limit)}.`)
  }
  return { ...totals, items: totals.items.map((item, index) => ({ ...item, id: ids[index] ?? item.id })) }
})

const amountsOf = ({ charge_total, discount_total, items, subtotal, tax_breakdown, tax_total, total }: Totals) => [
  ...items.flatMap(({ line_subtotal, line_total }) => [line_subtotal, line_total]),
  subtotal,
  discount_total,
  charge_total,
  tax_total,
  total,
  ...tax_breakdown.flatMap((group) => [group.taxable_amount, group.tax_amount, salesOf(group, tax_breakdown)])
]

/**
 * Returns the taxable amount of all groups with the same category, country and rate; `sales_entries` stores this sum.
 */
const salesOf = ({ category, country, rate }: TaxGroup, groups: ReadonlyArray<TaxGroup>) =>
  BigDecimal.sumAll(
    groups
      .filter((one) => one.category === category && one.country === country && BigDecimal.equals(one.rate, rate))
      .map(({ taxable_amount }) => taxable_amount)
  )

/** Resolves the rates of new lines; fails when a requested rate is unknown. */
export const resolved = (items: ReadonlyArray<LineItemInput>, found: Sources) => {
  const { errors, resolved } = resolve(items, found, [])
  return Object.keys(errors).length > 0 ? Effect.fail(ValidationFailed.of(errors)) : Effect.succeed(resolved)
}

interface Before extends Adjustments<Adjustment> {
  readonly items: ReadonlyArray<LineItem>
}
const nothing: Before = { ...unadjusted, items: [] }

/** Prices the lines, discounts and charges of a request, and those stored ones whose list the request omits. */
export const pricedInput = (
  { items, ...sent }: { readonly items?: ReadonlyArray<LineItemInput> } & AdjustmentsInput,
  currency: CurrencyCode,
  found: Ingredients,
  before: Before = nothing
) => {
  const predecessors = items === undefined ? before.items : predecessorsOf(items, before.items)
  const { errors, resolved } =
    items === undefined ? { errors: {}, resolved: before.items } : resolve(items, found, predecessors)
  const adjusted = resolveAdjustments(sent, before, resolved, found)
  const all: FieldErrors = {
    ...(found.customer === null ? { customer_id: [unknown_customer] } : {}),
    ...errors,
    ...adjusted.errors
  }
  if (Object.keys(all).length > 0) return Effect.fail(ValidationFailed.of(all))
  const ids = predecessors.map((line, index) => line?.id ?? found.item_ids[index] ?? LineItemId.make(index + 1))
  return priced(resolved, currency, ids, adjusted.adjustments)
}

type Original = Before & { readonly currency: CurrencyCode }

/**
 * Replaces the rates of a document's copy by their present versions. An archived rate stays as it was. A discount or
 * charge follows the lines that bear it: if they are no longer taxed alike, it becomes one entry for each tax.
 */
export const renewed = ({ charges, currency, discounts, items }: Original, { rates }: Sources) => {
  const renew = <Part extends { readonly tax_rates: ReadonlyArray<TaxRate> }>(part: Part) => ({
    ...part,
    tax_rates: part.tax_rates.map((stored) => rates.find(({ id }) => id === stored.id) ?? stored)
  })
  const lines = items.map((before) => ({ before, line: renew(before) }))
  const all = lines.map(({ line }) => line)
  const follow = (stored: Adjustment): ReadonlyArray<ResolvedAdjustment> => {
    const bearing = lines.filter(({ before }) => areTaxedAlike(before, stored)).map(({ line }) => line)
    return bearing.length === 0 ? [renew(stored)] : divided(renew(stored), { all, bearing }, exponentOf(currency))
  }
  return { items: all, discounts: discounts.flatMap(follow), charges: charges.flatMap(follow) }
}

type PricedItem = ResolvedItem & Pick<LineItem, "line_total">

/**
 * Makes an entry of a discount or charge for each tax of the lines that bear it. The entries keep the percentage if it
 * still applies to exactly these lines. Otherwise, each entry has the amount that its lines bear.
 */
const divided = (
  adjustment: ResolvedAdjustment & Pick<Adjustment, "net_amount">,
  { all, bearing }: Readonly<Record<"all" | "bearing", ReadonlyArray<PricedItem>>>,
  exponent: number
): ReadonlyArray<ResolvedAdjustment> => {
  const weights = weightsOf(bearing.map(({ line_total }) => line_total))
  const parts = allocate(adjustment.net_amount, weights, exponent)
  const shares = bearing.map((line, index) => ({ line, part: parts[index] ?? zero }))
  const groups = [...Map.groupBy(shares, ({ line }) => bearing.find((one) => areTaxedAlike(one, line)) ?? line)]
  const isPercentage =
    adjustment.percentage !== null &&
    groups.every(([first, own]) => {
      const alike = all.filter((line) => areTaxedAlike(line, first))
      const base = BigDecimal.sumAll(alike.map(({ line_total }) => line_total))
      return alike.length === own.length && !BigDecimal.isNegative(base)
    })
  return groups.flatMap(([first, own]) => {
    const { exemption_code = null, tax_exempt, tax_exemption_reason, tax_rates } = first
    const taxes = { exemption_code, tax_exempt, tax_exemption_reason, tax_rates }
    const entry = areTaxedAlike(adjustment, first) ? adjustment : { ...adjustment, ...taxes }
    const amount = BigDecimal.sumAll(own.map(({ part }) => part))
    if (isPercentage) return [entry]
    return BigDecimal.isZero(amount) ? [] : [{ ...entry, amount, percentage: null }]
  })
}

/** If several lines of a request have the id of the same stored line, only the first one replaces it. */
const predecessorsOf = (sent: ReadonlyArray<LineItemInput>, stored: ReadonlyArray<LineItem>): Predecessors => {
  const left = new Map<number, LineItem>(stored.map((line) => [line.id, line]))
  return sent.map(({ id }) => {
    const line = left.get(id ?? 0)
    left.delete(id ?? 0)
    return line
  })
}

export const unknown_customer = "The customer_id field must name a customer of the organization."

/** Refuses amounts that are too large for the database columns. */
export const requireStorable = (field: string, ...amounts: ReadonlyArray<BigDecimal.BigDecimal>) =>
  amounts.some(isTooLarge)
    ? Effect.fail(ValidationFailed.of({ [field]: [`The ${field} field is too large.`] }))
    : Effect.void

export const requireExponent = (field: string, amount: BigDecimal.BigDecimal, currency: CurrencyCode) => {
  const exponent = exponentOf(currency)
  if (fitsExponent(amount, exponent)) return Effect.void
  const message = `The ${field} field may not have more than ${exponent} decimal places in ${currency}.`
  return Effect.fail(ValidationFailed.of({ [field]: [message] }))
}

export const requireCurrency = (asked: CurrencyCode | null | undefined, currency: CurrencyCode) =>
  (asked ?? currency) === currency
    ? Effect.void
    : Effect.fail(ValidationFailed.field("currency", `must be ${currency}, the currency of the invoice.`))

/** Converts a `prepaid_amount` of null, with which a client says that nothing was paid before, to zero. */
export const withPrepaid = <Sent extends { readonly prepaid_amount?: BigDecimal.BigDecimal | null }>(
  sent: Sent
): Sent => (sent.prepaid_amount === null ? { ...sent, prepaid_amount: zero } : sent)

export const requirePrepaid = Effect.fnUntraced(function* (
  prepaid: BigDecimal.BigDecimal,
  total: BigDecimal.BigDecimal,
  currency: CurrencyCode
) {
  yield* requireExponent("prepaid_amount", prepaid, currency)
  if (!BigDecimal.isGreaterThan(prepaid, total)) return
  return yield* ValidationFailed.field(
    "prepaid_amount",
    `may not be greater than the total of ${BigDecimal.format(total)}.`
  )
})
