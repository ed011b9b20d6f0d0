import { BigDecimal, Option } from "effect"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { exponentOf } from "../../../kernel/Currency.ts"
import { allocate, formatAmount } from "../../../kernel/Money.ts"
import type { ReceivedPayment } from "../../providers/Provider.ts"
import type { PaidAmount } from "./LifecycleMessage.ts"

/** Only payments for services are reported, because the tax on goods is due on delivery. */
const services = /^[SM]/

/** Divides a payment in proportion to the gross amount of each tax rate. Returns nothing for an invoice of goods. */
export const paidAmounts = (
  invoice: XmlTree,
  { amount, currency, received_on }: Pick<ReceivedPayment, "amount" | "currency" | "received_on">
): ReadonlyArray<PaidAmount> => {
  if (!services.test(textAt(invoice, "ProfileID") ?? "")) return []
  const rates = all(all(invoice, "TaxTotal").find(hasRates), "TaxSubtotal").flatMap((subtotal) => {
    const rate = textAt(at(subtotal, "TaxCategory"), "Percent") ?? "0"
    const parts = [textAt(subtotal, "TaxableAmount"), textAt(subtotal, "TaxAmount")]
    return [{ rate, gross: BigDecimal.sumAll(parts.flatMap((part) => Option.toArray(decimalOf(part)))) }]
  })
  const exponent = exponentOf(currency)
  const shares = allocate(
    amount,
    rates.map(({ gross }) => gross),
    exponent
  )
  return rates.flatMap(({ rate }, index) => {
    const share = shares[index]
    return share === undefined ? [] : [{ amount: formatAmount(share, exponent), currency, rate, received_on }]
  })
}

const hasRates = (total: XmlTree) => all(total, "TaxSubtotal").length > 0

const decimalOf = (text: string | undefined) => (text === undefined ? Option.none() : BigDecimal.fromString(text))
