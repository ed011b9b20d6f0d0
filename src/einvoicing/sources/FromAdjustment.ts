import type { BigDecimal } from "effect"
import type { LineItem } from "../../billing/lines/LineItem.ts"
import { percentOf } from "../../kernel/Money.ts"
import type { EInvoiceAdjustment } from "../invoice/EInvoice.ts"
import { isWithinSlack, taxesOf } from "../invoice/FromLineItem.ts"

export interface SourceAdjustment extends Pick<LineItem, "tax_exempt" | "tax_exemption_reason" | "exemption_code"> {
  readonly description: string
  readonly percentage: BigDecimal.BigDecimal | null
  readonly base_amount: BigDecimal.BigDecimal | null
  readonly net_amount: BigDecimal.BigDecimal
  readonly tax_rates: Parameters<typeof taxesOf>[0]["tax_rates"]
}

export const einvoiceAdjustment =
  (is_charge: boolean) =>
  (of: SourceAdjustment): EInvoiceAdjustment => ({
    is_charge,
    amount: of.net_amount,
    percentage: percentageOf(of),
    reason: of.description,
    taxes: taxesOf(of)
  })

/**
 * Returns null if rounding, as in a currency without cents, makes the amount differ from the percentage by more than
 * Peppol allows (R040).
 */
const percentageOf = ({ base_amount: base, net_amount, percentage: percent }: SourceAdjustment) => {
  if (base === null || percent === null || !isWithinSlack(net_amount, percentOf(base, percent))) return null
  return { base, percent }
}
