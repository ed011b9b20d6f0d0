import { BigDecimal, Option } from "effect"
import type { ExemptionCategory } from "../../billing/lines/LineItem.ts"
import type { TaxCategory, TaxGroup } from "../../billing/lines/Tax.ts"
import { convertedTax } from "../../billing/lines/VatGroups.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { EInvoiceTax } from "../invoice/EInvoice.ts"

interface Untaxed {
  readonly category: TaxCategory
  readonly exemption_code?: string | undefined
}

/** Returns the exemption reason (BT-120), or null for a group that is taxed or zero rated. */
type ReasonOf = (tax: Untaxed) => string | null

/**
 * Merges groups of one category and percentage (BR-S-08). With `apart`, exemption codes and countries of consumption
 * stay separate.
 */
export const taxBreakdown = (
  groups: ReadonlyArray<TaxGroup>,
  reasonOf: ReasonOf,
  apart = false
): ReadonlyArray<EInvoiceTax> => {
  const taxes: Array<EInvoiceTax> = []
  for (const { category, country = null, exemption_code, rate, tax_amount, taxable_amount } of groups) {
    const code = exemption_code ?? null
    const index = taxes.findIndex(
      (tax) =>
        tax.category === category &&
        BigDecimal.equals(tax.rate, rate) &&
        (!apart || (tax.exemption_code === code && tax.country === country))
    )
    const same = taxes[index]
    const exemption = exemptionOf({ category, exemption_code }, reasonOf)
    if (same === undefined) {
      taxes.push({ category, rate, taxable_amount, tax_amount, exemption, exemption_code: code, country })
    } else {
      taxes[index] = {
        ...same,
        // A group merged from different exemption codes falls back to the code of its category.
        exemption: same.exemption?.code === exemption?.code ? exemption : exemptionOf({ category }, reasonOf),
        taxable_amount: BigDecimal.sum(same.taxable_amount, taxable_amount),
        tax_amount: BigDecimal.sum(same.tax_amount, tax_amount)
      }
    }
  }
  return taxes
}

/**
 * Default CEF VATEX codes. Category E has no default: each article of the law has its own code, which the tax rate must
 * name.
 */
const exemption_codes: Readonly<Record<ExemptionCategory, string | null>> = {
  E: null,
  AE: "VATEX-EU-AE",
  K: "VATEX-EU-IC",
  G: "VATEX-EU-G",
  O: "VATEX-EU-O"
}

const isExemption = (category: TaxCategory): category is ExemptionCategory => category in exemption_codes

const exemptionOf = ({ category, exemption_code }: Untaxed, reasonOf: ReasonOf) => {
  const reason = reasonOf({ category, exemption_code })
  if (reason === null || !isExemption(category)) return null
  return { reason, code: exemption_code ?? exemption_codes[category] }
}

interface Converted {
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
}

/** Returns the tax in the seller's currency (BT-6, BT-111) of a document in another currency with an exchange rate. */
export const accountingTax = ({ currency, exchange_rate, tax_breakdown }: Converted, own: CurrencyCode) =>
  Option.fromNullishOr(exchange_rate).pipe(
    Option.filter(() => currency !== own),
    Option.map((rate) => ({ currency: own, amount: convertedTax(tax_breakdown, rate, own) })),
    Option.getOrNull
  )
