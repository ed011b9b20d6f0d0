import { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import type { FieldErrors } from "../../kernel/Refusal.ts"
import type { Adjustment, AdjustmentInput } from "./Adjustment.ts"
import type { Ingredients } from "./IngredientsRepo.ts"
import { foreignSupply, foreignSupplyError } from "./IntraCommunity.ts"
import type { TaxRate } from "./Tax.ts"
import { type Adjustments, areTaxedAlike, type ResolvedAdjustment, type ResolvedItem } from "./Totals.ts"

/** An absent list leaves the stored list unchanged; null empties it. */
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

/**
 * A requested rate is first looked up on the lines, because a discount must use the same version of a rate as its
 * lines.
 */
export const resolveAdjustments = (
  sent: AdjustmentsInput,
  stored: Adjustments<Adjustment>,
  items: ReadonlyArray<ResolvedItem>,
  { rates, seller }: Pick<Ingredients, "rates" | "seller">
): Resolved => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  const kept = [...stored.discounts, ...stored.charges]
  const candidates: ReadonlyArray<TaxRate> = [...[...items, ...kept].flatMap(({ tax_rates }) => tax_rates), ...rates]
  const permitted = (path: string, adjustment: ResolvedAdjustment) => {
    const claim = foreignSupply(seller, adjustment)
    if (claim !== undefined) errors[`${path}.${claim}`] = [foreignSupplyError(`${path}.${claim}`)]
    return adjustment
  }
  const resolve = (kind: Kind): ReadonlyArray<ResolvedAdjustment> => {
    const inputs = sent[kind]
    if (inputs === undefined) return stored[kind]
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
    if (percentage !== null && !items.some((item) => areTaxedAlike(item, adjustment))) {
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
