import { BigDecimal, Struct } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import type { FieldErrors } from "../../kernel/Refusal.ts"
import type { Adjustment, AdjustmentInput } from "./Adjustment.ts"
import type { Ingredients } from "./IngredientsRepo.ts"
import { foreignSupply, foreignSupplyError } from "./IntraCommunity.ts"
import { areTaxedAlike, type Taxed, type TaxRate } from "./Tax.ts"
import type { Adjustments, ResolvedAdjustment, ResolvedItem } from "./Totals.ts"

/** An absent list keeps the stored entries, whose taxes follow the lines; null empties the list. */
export interface AdjustmentsInput {
  readonly discounts?: ReadonlyArray<AdjustmentInput> | null | undefined
  readonly charges?: ReadonlyArray<AdjustmentInput> | null | undefined
}

const kinds = ["discounts", "charges"] as const
type Kind = (typeof kinds)[number]

interface Resolved {
  readonly adjustments: Adjustments<ResolvedAdjustment>
  readonly errors: FieldErrors
}

interface Before extends Adjustments<Adjustment> {
  readonly items: ReadonlyArray<ResolvedItem>
}

/**
 * Adds the discounts and charges that a request repeats unchanged together with other lines. They then have the taxes
 * that the request names, while those that it omits follow the lines.
 */
export const withRepeated = <Changes extends AdjustmentsInput & { readonly items?: unknown }>(
  changes: Changes,
  sent: AdjustmentsInput
): Changes => (changes.items === undefined ? changes : { ...changes, ...Struct.pick(sent, kinds) })

/**
 * A requested rate is first looked up on the lines, because a discount must use the same version of a rate as its
 * lines. Likewise, discounts and charges that the request omits follow its lines.
 */
export const resolveAdjustments = (
  sent: AdjustmentsInput,
  before: Before,
  items: ReadonlyArray<ResolvedItem>,
  { rates, seller }: Pick<Ingredients, "rates" | "seller">
): Resolved => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  const kept = [...before.discounts, ...before.charges]
  const candidates: ReadonlyArray<TaxRate> = [...[...items, ...kept].flatMap(({ tax_rates }) => tax_rates), ...rates]
  const permitted = (path: string, adjustment: ResolvedAdjustment) => {
    const claim = foreignSupply(seller, adjustment)
    if (claim !== undefined) errors[`${path}.${claim}`] = [foreignSupplyError(`${path}.${claim}`)]
    return adjustment
  }
  const follow = (kind: Kind): ReadonlyArray<ResolvedAdjustment> =>
    before[kind].map((stored, index) => {
      const followed = followLines(stored, before.items, items)
      const needsLine = kind === "discounts" || stored.percentage !== null
      if (needsLine && hasLine(stored, before.items) && !hasLine(followed, items)) {
        errors[kind] = [
          `The ${kind} field is required, because no line has the taxes of its entry ${index + 1} any more.`
        ]
      }
      return followed
    })
  const resolve = (kind: Kind): ReadonlyArray<ResolvedAdjustment> => {
    const inputs = sent[kind]
    if (inputs === undefined) return follow(kind)
    return (inputs ?? []).map((input, index) => {
      const path = `${kind}.${index}.tax_rate_ids`
      if (input.tax_exempt) return permitted(`${kind}.${index}`, { ...input, tax_rates: [] })
      if (input.tax_rate_ids.length === 0) {
        const taxes = taxesOfAll(items)
        if (taxes !== undefined) return { ...input, ...taxes }
        errors[path] = [
          `The ${path} field is required, because the lines have different taxes; send an entry for each.`
        ]
      }
      const tax_rates = input.tax_rate_ids.flatMap((id, position) => {
        const rate = candidates.find((candidate) => candidate.id === id)
        if (rate !== undefined) return [rate]
        const field = `${path}.${position}`
        errors[field] = [`The ${field} field must name a tax rate of the organization that is not archived.`]
        return []
      })
      return permitted(`${kind}.${index}`, { ...input, tax_rates })
    })
  }
  return { adjustments: { discounts: resolve("discounts"), charges: resolve("charges") }, errors }
}

/**
 * If a discount or charge has the taxes of all old lines, it gets those of all new lines. Otherwise it keeps its rates,
 * in the version that the new lines have.
 */
const followLines = (
  stored: Adjustment,
  old_items: ReadonlyArray<ResolvedItem>,
  items: ReadonlyArray<ResolvedItem>
): ResolvedAdjustment => {
  if (old_items === items) return stored
  const [old_taxes, taxes] = [taxesOfAll(old_items), taxesOfAll(items)]
  if (old_taxes !== undefined && taxes !== undefined && isTaxedBy(stored, old_taxes)) return { ...stored, ...taxes }
  const versions = items.flatMap(({ tax_rates }) => tax_rates)
  const tax_rates = stored.tax_rates.map((rate) => versions.find(({ id }) => id === rate.id) ?? rate)
  return { ...stored, tax_rates }
}

const hasLine = (adjustment: ResolvedAdjustment, items: ReadonlyArray<ResolvedItem>): boolean =>
  items.some((item) => areTaxedAlike(item, adjustment))

/** True when the taxes have the same rates, not only the same percentages. */
const isTaxedBy = (adjustment: Taxed, taxes: Taxed): boolean =>
  areTaxedAlike(adjustment, taxes) &&
  taxes.tax_rates.every((rate) => adjustment.tax_rates.some(({ id }) => id === rate.id))

/** Returns the taxes common to all lines; undefined when they differ. */
const taxesOfAll = (items: ReadonlyArray<ResolvedItem>) => {
  const [first] = items
  if (first === undefined || !items.every((item) => areTaxedAlike(item, first))) return undefined
  const { exemption_code = null, tax_exempt, tax_exemption_reason, tax_rates } = first
  return { tax_exempt, tax_exemption_reason, exemption_code, tax_rates }
}

export const adjustmentErrors = (
  { charges, discounts }: Adjustments<ResolvedAdjustment>,
  items: ReadonlyArray<ResolvedItem>,
  currency: CurrencyCode
): FieldErrors => {
  const exponent = exponentOf(currency)
  const problemOf = (adjustment: ResolvedAdjustment): readonly [field: string, predicate: string] | undefined => {
    const { amount, percentage } = adjustment
    if (amount !== null && !fitsExponent(amount, exponent)) {
      return ["amount", `may not have more than ${exponent} decimal places in ${currency}.`]
    }
    if (percentage !== null && !hasLine(adjustment, items)) {
      return ["percentage", "needs a line with the same taxes, from which it is calculated."]
    }
    return undefined
  }
  const errors = [...discounts.entries()].map(
    ([index, discount]) => [`discounts.${index}`, problemOf(discount)] as const
  )
  const others = [...charges.entries()].map(([index, charge]) => [`charges.${index}`, problemOf(charge)] as const)
  return Object.fromEntries(
    [...errors, ...others].flatMap(([path, problem]) => {
      if (problem === undefined) return []
      const field = `${path}.${problem[0]}`
      return [[field, [`The ${field} field ${problem[1]}`]]]
    })
  )
}

/** Returns the field of the first discount or charge whose percentage applies to a negative sum of lines. */
export const negativeAdjustment = (adjustments: Adjustments<Adjustment>): string | undefined => {
  for (const kind of kinds) {
    const index = adjustments[kind].findIndex(({ net_amount }) => BigDecimal.isNegative(net_amount))
    if (index !== -1) return `${kind}.${index}.percentage`
  }
  return undefined
}
